import { ConfigError, type FieldFault } from '../errors.ts';

/** Names in a path are cut: they come from whoever wrote the file. */
const MAX_NAME = 64;

/** `budgets.day.usd`, `vpc.subnets[0]`. */
export const toPath = (path: readonly PropertyKey[]): string =>
  path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part).slice(0, MAX_NAME)}`))
    .join('')
    .replace(/^\./, '');

/** One ConfigError for all faults: `<subject> 2 faults:`, and a line each. */
export function toConfigError(subject: string, faults: readonly FieldFault[]): ConfigError {
  const lines = faults.map((fault) => `\n- ${sayFault(fault)}`);
  const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
  return new ConfigError(`${subject} ${count}:${lines.join('')}`, { faults });
}

/** A fault as one sentence. */
const sayFault = ({ path, message }: FieldFault): string => (path === '' ? message : `${path} ${message}`);
