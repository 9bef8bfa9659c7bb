import { arnOf, idOf, toText } from './intrinsics.ts';
import { ofType, property, type Template } from './template.ts';

const FUNCTION = 'AWS::Lambda::Function';

function isRouted(template: Template, id: string): boolean {
  const integrations = ofType(template, 'AWS::ApiGatewayV2::Integration')
    .filter(([, integration]) => idOf(template, FUNCTION, property(integration, 'IntegrationUri')) === id)
    .map(([integration]) => `integrations/\${${integration}}`);
  const routes = ofType(template, 'AWS::ApiGatewayV2::Route');
  return routes.some(([, route]) => integrations.includes(toText(template, property(route, 'Target'))));
}

function isAuthorizer(template: Template, id: string): boolean {
  const authorizers = ofType(template, 'AWS::ApiGatewayV2::Authorizer');
  return authorizers.some(([, item]) =>
    toText(template, property(item, 'AuthorizerUri')).includes(arnOf(template, id)),
  );
}

const names = (template: Template, type: string, id: string, ...path: string[]) =>
  ofType(template, type).some(([, resource]) => idOf(template, FUNCTION, property(resource, ...path)) === id);

/** Logical ids of the queues that are mapped to the function. */
function queuesOf(template: Template, id: string): readonly string[] {
  const mappings = ofType(template, 'AWS::Lambda::EventSourceMapping').filter(
    ([, mapping]) => idOf(template, FUNCTION, property(mapping, 'FunctionName')) === id,
  );
  return mappings.map(([, mapping]) => {
    const source = property(mapping, 'EventSourceArn');
    return idOf(template, 'AWS::SQS::Queue', source) ?? toText(template, source);
  });
}

/** Everything that wakes a function: `http`, `authorizer`, `schedule`, `invoke` (it has an alias), and queues by logical id. */
export function wiresOf(template: Template, id: string): readonly string[] {
  return [
    ...(isRouted(template, id) ? ['http'] : []),
    ...(isAuthorizer(template, id) ? ['authorizer'] : []),
    ...(names(template, 'AWS::Scheduler::Schedule', id, 'Target', 'Arn') ? ['schedule'] : []),
    ...(names(template, 'AWS::Lambda::Alias', id, 'FunctionName') ? ['invoke'] : []),
    ...queuesOf(template, id),
  ];
}
