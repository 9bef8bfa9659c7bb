import { APP_PERMISSIONS } from '#lib/app/app-permissions.ts';

type Permissions = Readonly<Record<string, string>>;

/** `admin` is more than `write`, `write` more than `read`. */
const RANKS: readonly (string | undefined)[] = [undefined, 'read', 'write', 'admin'];

const rank = (access: string | undefined): number => RANKS.indexOf(access);

/**
 * What differs from exactly the permissions that Healer uses, each as a part of a sentence: `issues is read, not write`.
 * GitHub grants `metadata` with everything else.
 */
export function comparePermissions(granted: Permissions): {
  readonly few: readonly string[];
  readonly many: readonly string[];
} {
  const few = Object.entries(APP_PERMISSIONS).filter(([name, access]) => rank(granted[name]) < rank(access));
  const many = Object.entries(granted).filter(([name, access]) => rank(access) > rank(APP_PERMISSIONS[name]));
  return {
    few: few.map(([name, access]) => `${name} is ${granted[name] ?? 'not granted'}, must be ${access}`),
    many: many.map(([name, access]) => `${name} is ${access}, ${APP_PERMISSIONS[name] ?? 'none'} is enough`),
  };
}
