import { arnOf, idOf, toText } from '../intrinsics.ts';
import { grants, trusted } from '../statements.ts';
import { at, type Entry, list, ofType, property, type Resource, type Template, type Violation } from '../template.ts';

const FUNCTION = 'AWS::Lambda::Function';
const ROLE = 'AWS::IAM::Role';

/** Routes that answer without a token; the webhook checks a signature of its own. */
export const OPEN_ROUTES: readonly string[] = ['GET /health', 'GET /', 'POST /api/v1/webhooks/github'];

/** Each function has a role of its own, which only Lambda may assume: a fault in one does not lend the rights of another. */
export function ownsItsRole(template: Template): Violation[] {
  const roles = new Map<string, number>();
  const roleOf = ([, resource]: Entry) => idOf(template, ROLE, property(resource, 'Role'));
  for (const entry of ofType(template, FUNCTION)) {
    const role = roleOf(entry);
    if (role !== undefined) roles.set(role, (roles.get(role) ?? 0) + 1);
  }
  return ofType(template, FUNCTION).flatMap((entry) => {
    const role = roleOf(entry);
    const [resource] = entry;
    const fault = (message: string) => [{ rule: 'ownsItsRole', resource, message }];
    if (role === undefined) return fault('let role name a role of this template');
    if ((roles.get(role) ?? 0) > 1) return fault(`${role} serves several functions; give this one a role of its own`);
    if (trusted(template, role).join() !== 'lambda.amazonaws.com') return fault(`${role} must trust Lambda alone`);
    return [];
  });
}

/** The schedule's role may invoke the schedule's function, and nothing else: with the function's own role it never fires. */
export function invokesItsFunction(template: Template): Violation[] {
  return ofType(template, 'AWS::Scheduler::Schedule').flatMap(([resource, schedule]) => {
    const fault = (message: string) => [{ rule: 'invokesItsFunction', resource, message }];
    const target = idOf(template, FUNCTION, property(schedule, 'Target', 'Arn'));
    const role = idOf(template, ROLE, property(schedule, 'Target', 'RoleArn'));
    if (target === undefined) return fault('let Target.Arn name a function of this template');
    if (role === undefined) return fault('let roleArn name a role of this template');
    if (trusted(template, role).join() !== 'scheduler.amazonaws.com')
      return fault(`${role} must trust the Scheduler alone`);
    const granted = grants(template, role);
    const actions = granted.flatMap((statement) => statement.actions);
    const targets = granted.flatMap((statement) => statement.resources);
    const isExact =
      granted.length > 0 &&
      actions.every((action) => action === 'lambda:InvokeFunction') &&
      targets.every((arn) => idOf(template, FUNCTION, arn) === target);
    return isExact ? [] : fault(`${role} must allow lambda:InvokeFunction on ${target}, and nothing else`);
  });
}

const AUTHORIZED: Readonly<Record<string, (template: Template, authorizer: Resource | undefined) => boolean>> = {
  AWS_IAM: () => true,
  CUSTOM: asksFunction,
  JWT: asksIssuer,
};

/** A revoked token is refused after this time at the latest; docs/security.md promises it. */
const MAX_CACHED_SECONDS = 300;

/** A function of the template decides over each header of its own, and its answer is not kept for long. */
function asksFunction(template: Template, authorizer: Resource | undefined): boolean {
  const uri = toText(template, property(authorizer, 'AuthorizerUri'));
  const isOwn = ofType(template, FUNCTION).some(([id]) => uri.includes(arnOf(template, id)));
  const sources = list(property(authorizer, 'IdentitySource'));
  const kept = Number(property(authorizer, 'AuthorizerResultTtlInSeconds') ?? 0);
  const isRequest = property(authorizer, 'AuthorizerType') === 'REQUEST';
  return isRequest && isOwn && sources.length > 0 && kept <= MAX_CACHED_SECONDS;
}

/** An issuer that nobody on the way can replace, and tokens that were made for this API. */
function asksIssuer(_template: Template, authorizer: Resource | undefined): boolean {
  const issuer = String(property(authorizer, 'JwtConfiguration', 'Issuer'));
  const audience = list(property(authorizer, 'JwtConfiguration', 'Audience')).filter(Boolean);
  const isJwt = property(authorizer, 'AuthorizerType') === 'JWT';
  return isJwt && issuer.startsWith('https://') && audience.length > 0;
}

function authorizerOf(template: Template, route: Resource): Resource | undefined {
  const found = template.Resources[String(at(property(route, 'AuthorizerId'), 'Ref'))];
  return found?.Type === 'AWS::ApiGatewayV2::Authorizer' ? found : undefined;
}

/** Every route asks for authorisation but those that are listed as open; no other way leads to a function from outside. */
export function authorizesRoutes(template: Template, open: readonly string[] = OPEN_ROUTES): Violation[] {
  const rule = 'authorizesRoutes';
  const bare = ofType(template, 'AWS::ApiGatewayV2::Route').filter(([, route]) => {
    const check = AUTHORIZED[String(property(route, 'AuthorizationType'))];
    const isOpen = open.includes(String(property(route, 'RouteKey')));
    return !isOpen && !check?.(template, authorizerOf(template, route));
  });
  const urls = ofType(template, 'AWS::Lambda::Url').filter(([, url]) => property(url, 'AuthType') !== 'AWS_IAM');
  return [
    ...bare.map(([resource, route]) => {
      return {
        rule,
        resource,
        message: `${String(property(route, 'RouteKey'))} has no authorizer that checks its callers, and is not listed as open`,
      };
    }),
    ...urls.map(([resource]) => ({ rule, resource, message: 'a function URL must have AuthType AWS_IAM' })),
  ];
}

/** Logs go by themselves, and each function's group is the template's: one that Lambda makes keeps everything for ever. */
export function keepsLogsForATime(template: Template): Violation[] {
  const rule = 'keepsLogsForATime';
  const groups = ofType(template, 'AWS::Logs::LogGroup');
  const names = groups.map(([, group]) => property(group, 'LogGroupName'));
  const endless = groups.filter(([, group]) => !(Number(property(group, 'RetentionInDays')) > 0));
  const without = ofType(template, FUNCTION).filter(([, resource]) => {
    const own =
      property(resource, 'LoggingConfig', 'LogGroup') ?? `/aws/lambda/${String(property(resource, 'FunctionName'))}`;
    return !list(names).includes(own);
  });
  return [
    ...endless.map(([resource]) => ({ rule, resource, message: 'set RetentionInDays' })),
    ...without.map(([resource]) => ({
      rule,
      resource,
      message: 'add the log group of this function, with a retention',
    })),
  ];
}
