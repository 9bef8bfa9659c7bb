import { list, ofType, property, type Resource, record, type Template } from './template.ts';

export interface Statement {
  /** Logical id of the resource whose policy holds it. */
  readonly resource: string;
  readonly effect: unknown;
  readonly actions: readonly unknown[];
  readonly resources: readonly unknown[];
  readonly raw: Readonly<Record<string, unknown>>;
  /** The statement says who may assume a role, not what the role may do. */
  readonly isTrust: boolean;
}

function collect(resource: string, value: unknown, isTrust: boolean): Statement[] {
  if (Array.isArray(value)) return value.flatMap((item) => collect(resource, item, isTrust));
  const raw = record(value);
  if ('Effect' in raw) {
    const { Effect: effect, Action, Resource } = raw;
    return [{ resource, effect, actions: list(Action), resources: list(Resource), raw, isTrust }];
  }
  return Object.entries(raw).flatMap(([key, inner]) =>
    collect(resource, inner, isTrust || key === 'AssumeRolePolicyDocument'),
  );
}

/** Every policy statement of the template, wherever it stands: roles, policies, queue, bucket and topic policies. */
export function statements(template: Template): readonly Statement[] {
  return Object.entries(template.Resources).flatMap(([id, resource]) => collect(id, resource.Properties, false));
}

/** Logical ids of the policies that are attached to the role from outside, and the role itself. */
function holders(template: Template, role: string): readonly string[] {
  const isAttached = ([, resource]: readonly [string, Resource]) =>
    list(property(resource, 'Roles')).some((attached) => record(attached)['Ref'] === role);
  const policies = [...ofType(template, 'AWS::IAM::Policy'), ...ofType(template, 'AWS::IAM::ManagedPolicy')];
  return [role, ...policies.filter(isAttached).map(([id]) => id)];
}

/** What the role is allowed, inline or by a policy of the template. */
export function grants(template: Template, role: string): readonly Statement[] {
  const ids = holders(template, role);
  return statements(template).filter(({ resource, effect, isTrust }) => {
    return effect === 'Allow' && !isTrust && ids.includes(resource);
  });
}

/** The service principals that may assume the role. */
export function trusted(template: Template, role: string): readonly unknown[] {
  const trust = statements(template).filter((statement) => statement.resource === role && statement.isTrust);
  return trust.flatMap(({ raw }) => {
    const principal = raw['Principal'];
    return typeof principal === 'string' ? [principal] : Object.values(record(principal)).flatMap(list);
  });
}
