import type { MutableResource, MutableTemplate } from './a-template.ts';

/** A change that breaks a template. */
export type Change = (template: MutableTemplate) => void;

function resource(template: MutableTemplate, id: string): MutableResource {
  const found = template.Resources[id];
  if (found === undefined)
    throw new Error(`the template has no ${id}; it has ${Object.keys(template.Resources).join(', ')}`);
  return found;
}

/** Sets a property of a resource, at a path of keys with dots; undefined takes it away. */
export function set(id: string, path: string, value?: unknown): Change {
  return (template) => {
    const keys = path.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<Record<string, unknown>>((inner, key) => {
      return (inner[key] ??= {}) as Record<string, unknown>;
    }, resource(template, id).Properties);
    if (value === undefined) delete parent[last];
    else parent[last] = value;
  };
}

/** Sets what stands beside the properties: a policy of deletion or replacement. */
export function setPolicy(id: string, key: 'DeletionPolicy' | 'UpdateReplacePolicy', value: string): Change {
  return (template) => void (resource(template, id)[key] = value);
}

export function remove(id: string): Change {
  return (template) => {
    resource(template, id);
    delete template.Resources[id];
  };
}

export function add(id: string, Type: string, Properties: Record<string, unknown>): Change {
  return (template) => void (template.Resources[id] = { Type, Properties });
}

/** Adds a statement to the first policy of a role. */
export function allow(role: string, statement: Record<string, unknown>): Change {
  return (template) => {
    const policies = resource(template, role).Properties['Policies'] as { PolicyDocument: { Statement: unknown[] } }[];
    policies[0]?.PolicyDocument.Statement.push({ Effect: 'Allow', ...statement });
  };
}
