import { apiFault } from './api-fault.ts';
import type { KubernetesObject, Resource } from './store.ts';

type Test = (object: KubernetesObject) => boolean;

/** `a=b`, `a!=b`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, joined by commas. @throws ApiFault 400 */
export function labelSelector(text: string): Test {
  const tests = splitTerms(text).map(labelTerm);
  return (object) => {
    const labels = (object.metadata['labels'] ?? {}) as Readonly<Record<string, string>>;
    return tests.every((test) => test(labels));
  };
}

/** Commas within parentheses do not separate. */
const splitTerms = (text: string): readonly string[] =>
  text
    .split(/,(?![^(]*\))/)
    .map((term) => term.trim())
    .filter(Boolean);

function labelTerm(term: string): (labels: Readonly<Record<string, string>>) => boolean {
  const set = /^([\w./-]+)\s+(in|notin)\s+\(([^)]*)\)$/.exec(term);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    return (labels) => values.includes(labels[key] ?? '') === (operator === 'in');
  }
  const [, key = '', operator, value = ''] = /^([\w./-]+)\s*(==|=|!=)\s*([\w.-]*)$/.exec(term) ?? [];
  if (operator === '!=') return (labels) => labels[key] !== value;
  if (operator !== undefined) return (labels) => labels[key] === value;
  if (/^!?[\w./-]+$/.test(term)) {
    return (labels) => Object.hasOwn(labels, term.replace(/^!/, '')) !== term.startsWith('!');
  }
  throw apiFault(400, 'BadRequest', `unable to parse requirement: ${term}`);
}

/** `a.b=c` and `a.b!=c`, joined by commas, over the fields that the real server supports. @throws ApiFault 400 */
export function fieldSelector(text: string, resource: Resource): Test {
  const known = new Set(['metadata.name', 'metadata.namespace', ...resource.fields]);
  const tests = splitTerms(text).map((term): Test => {
    const [, field = '', operator, value] = /^([\w.]+)\s*(==|=|!=)\s*(.*)$/.exec(term) ?? [];
    if (!known.has(field)) throw apiFault(400, 'BadRequest', `field label not supported: ${field}`);
    return (object) => (fieldOf(object, field) === value) === (operator !== '!=');
  });
  return (object) => tests.every((test) => test(object));
}

function fieldOf(object: KubernetesObject, field: string): string {
  let value: unknown = object;
  for (const part of field.split('.')) value = (value as Readonly<Record<string, unknown>> | undefined)?.[part];
  return typeof value === 'string' ? value : '';
}
