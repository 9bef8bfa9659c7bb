import { GuardError } from '#lib/domain/errors.ts';
import type { TargetGuard } from './target-session.ts';

/** GET below the one repository, and nothing else: what holds a read token cannot be talked into a write. */
export const readGuard: TargetGuard = (target, { method, path }) => {
  if (method === 'GET' && isRepository(target) && isBelow(target, decodeOnce(path))) return;
  throw new GuardError('allow-list', `${method} of this path is no request of a reader`);
};

const isRepository = (target: string): boolean => /^[\w.-]+\/[\w.-]+$/.test(target);

/** A path that is still encoded after one decoding hides something, and so does one that climbs. */
function isBelow(target: string, path: string | undefined): boolean {
  if (path === undefined || /[%\\?#\s]/.test(path)) return false;
  const isPlain = !path.split('/').some((part) => part === '.' || part === '..');
  return isPlain && (path === `/repos/${target}` || path.startsWith(`/repos/${target}/`));
}

function decodeOnce(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
