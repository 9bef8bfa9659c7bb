import { GuardError } from '#lib/domain/errors.ts';
import type { TargetGuard } from './target-session.ts';

/** GET below the one repository, and nothing else: what holds a read token cannot be talked into a write. */
export const readGuard: TargetGuard = (target, { method, path }) => {
  const refuse = (): never => {
    throw new GuardError('allow-list', `${method} of this path is no request of a reader`);
  };
  if (method !== 'GET' || !/^[\w.-]+\/[\w.-]+$/.test(target)) return refuse();
  const decoded = decodeOnce(path) ?? refuse();
  const isBelow = decoded === `/repos/${target}` || decoded.startsWith(`/repos/${target}/`);
  const isPlain = !/[%\\?#\s]/.test(decoded) && !decoded.split('/').some((part) => part === '.' || part === '..');
  if (!isBelow || !isPlain) refuse();
};

function decodeOnce(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
