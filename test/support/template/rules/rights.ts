import { toText } from '../intrinsics.ts';
import { statements } from '../statements.ts';
import { list, ofType, property, record, type Template, type Violation } from '../template.ts';

/**
 * Actions that AWS grants on `*` only, with the reason for having them: the network interfaces of a function in a VPC
 * do not exist when the role is written (infra/network.yml).
 */
const WITHOUT_RESOURCE: readonly string[] = [
  'ec2:AssignPrivateIpAddresses',
  'ec2:CreateNetworkInterface',
  'ec2:DeleteNetworkInterface',
  'ec2:DescribeNetworkInterfaces',
  'ec2:DescribeSubnets',
  'ec2:UnassignPrivateIpAddresses',
];

/** Where a resource part is all wildcard, or one right after the type: `*`, `table/*`, `log-group:/aws/lambda/*`. */
const NAMES_NOTHING = /^(?:[a-z-]+[/:])?(?:\/aws\/lambda\/)?[*?]/;

const isWild = (action: unknown) => /[*?]/.test(String(action));

const allowed = (template: Template) => statements(template).filter(({ effect }) => effect === 'Allow');

/** Whoever holds a right holds it by name: no wildcard and no negated list, and no policy that is written elsewhere. */
export function namesItsActions(template: Template): Violation[] {
  const rule = 'namesItsActions';
  const wild = allowed(template).flatMap(({ resource, actions, raw }) => {
    const found = actions.filter(isWild).map((action) => `${String(action)} is a wildcard; name the actions`);
    const negated = ['NotAction', 'NotResource', 'NotPrincipal'].filter((key) => key in raw);
    const messages = [...found, ...negated.map((key) => `${key} allows what it does not name; name what is allowed`)];
    return messages.map((message) => ({ rule, resource, message }));
  });
  const foreign = ofType(template, 'AWS::IAM::Role').filter(([, role]) => {
    return list(property(role, 'ManagedPolicyArns')).some((arn) => !(String(record(arn)['Ref']) in template.Resources));
  });
  const message = 'policies managed elsewhere hold wildcards; write the statements here';
  return [...wild, ...foreign.map(([resource]) => ({ rule, resource, message }))];
}

function isBroad(template: Template, resource: unknown): boolean {
  // Pseudo parameters have colons of their own.
  const text = toText(template, resource).replace(/\$\{[^}]*\}/g, '$');
  const part = text.startsWith('arn:') ? text.split(':').slice(5).join(':') : text;
  return NAMES_NOTHING.test(part);
}

/** Whoever holds a right holds it on something: what has no name yet is the exception, and is listed. */
export function namesItsResources(template: Template): Violation[] {
  return allowed(template).flatMap(({ resource, actions, resources }) => {
    const broad = resources.filter((item) => isBroad(template, item));
    const unnamed = actions.filter((action) => !WITHOUT_RESOURCE.includes(String(action)));
    if (broad.length === 0 || unnamed.length === 0) return [];
    const message = `${unnamed.join(', ')} on ${toText(template, broad[0])}: name the resource`;
    return [{ rule: 'namesItsResources', resource, message }];
  });
}

/** Nobody outside the account is let in. */
export function namesItsPrincipals(template: Template): Violation[] {
  const open = allowed(template).filter(({ raw }) => {
    const principal = raw['Principal'];
    const named = typeof principal === 'string' ? [principal] : Object.values(record(principal)).flatMap(list);
    return named.includes('*');
  });
  const message = 'the statement allows everybody; name the principal';
  const invokers = ofType(template, 'AWS::Lambda::Permission').filter(
    ([, grant]) => property(grant, 'Principal') === '*',
  );
  return [...open.map(({ resource }) => resource), ...invokers.map(([id]) => id)].map((resource) => {
    return { rule: 'namesItsPrincipals', resource, message };
  });
}
