import { GuardError } from '../errors.ts';
import { assertPath } from '../remediation/paths.ts';

/** The only branches that Healer writes: `healer/<name>`, no further slash, nothing that Git or a shell reads specially. */
const OWN = String.raw`healer/[A-Za-z0-9][\w-]{0,99}`;
const OWN_BRANCH = new RegExp(`^${OWN}$`);

/** One segment of a path. GitHub's own names of repositories, users and commits fit; `.` and `..` do not. */
const SEGMENT = String.raw`(?!\.{1,2}(?:/|$))[\w.\-[\]]+`;

type Body = Readonly<Record<string, unknown>>;

interface Rule {
  readonly method: 'GET' | 'POST' | 'PATCH';
  /** Path below `/repos/<owner>/<name>`; `:n` is a number, `:s` a segment, `:ref` any branch, `:own` one of Healer's. */
  readonly path: string;
  /** Keys that a body may have; absent means that no body is allowed. */
  readonly keys?: readonly string[];
  /** What must hold of the values; a sentence when it does not. */
  readonly check?: (body: Body) => string | undefined;
}

const isOwn = (value: unknown, prefix = ''): boolean =>
  typeof value === 'string' && value.startsWith(prefix) && OWN_BRANCH.test(value.slice(prefix.length));

const newRef = (body: Body) => (isOwn(body.ref, 'refs/heads/') ? undefined : 'only refs/heads/healer/* may be created');
const notForced = (body: Body) => (body.force === true ? 'a branch may not be forced' : undefined);
const isSha = (value: unknown): boolean => typeof value === 'string' && /^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(value);

/** A tree without a base would leave out, and an entry without a blob would delete, what is there. */
const plainTree = ({ base_tree: base, tree }: Body) => {
  const entries = Array.isArray(tree) ? (tree as readonly Body[]) : [];
  if (!isSha(base) || entries.length === 0) return 'a tree must stand on another one';
  const isPlain = entries.every(
    ({ path, mode, type, sha, ...rest }) =>
      isPlainPath(path) &&
      (mode === '100644' || mode === '100755') &&
      type === 'blob' &&
      isSha(sha) &&
      Object.keys(rest).length === 0,
  );
  return isPlain ? undefined : 'a tree may hold plain files only, and none that only people change';
};
const oneParent = ({ parents }: Body) =>
  Array.isArray(parents) && parents.length === 1 && isSha(parents[0]) ? undefined : 'a commit must have one parent';

function isPlainPath(path: unknown): boolean {
  if (typeof path !== 'string') return false;
  try {
    assertPath(path);
    return true;
  } catch {
    return false;
  }
}

const draftOfOwn = (body: Body) => {
  if (!isOwn(body.head)) return 'only a healer/* branch may be proposed';
  return body.draft === true ? undefined : 'a pull request must be a draft';
};

/**
 * Everything that the writer of GitHub may ask for, reads included. What is not here is refused: there is no merge, no
 * review, no "ready for review" (`draft`), no deletion, no GraphQL, no workflow, no setting.
 */
const RULES: readonly Rule[] = [
  { method: 'GET', path: '' },
  { method: 'GET', path: '/issues' },
  { method: 'POST', path: '/issues', keys: ['title', 'body', 'labels'] },
  { method: 'GET', path: '/issues/:n' },
  { method: 'PATCH', path: '/issues/:n', keys: ['title', 'body', 'labels', 'state', 'state_reason'] },
  { method: 'GET', path: '/issues/:n/comments' },
  { method: 'POST', path: '/issues/:n/comments', keys: ['body'] },
  { method: 'GET', path: '/issues/:n/events' },
  { method: 'GET', path: '/collaborators/:s/permission' },
  { method: 'GET', path: '/git/ref/heads/:ref' },
  { method: 'GET', path: '/git/commits/:s' },
  { method: 'GET', path: '/git/trees/:s' },
  { method: 'GET', path: '/git/blobs/:s' },
  { method: 'POST', path: '/git/blobs', keys: ['content', 'encoding'] },
  { method: 'POST', path: '/git/trees', keys: ['base_tree', 'tree'], check: plainTree },
  { method: 'POST', path: '/git/commits', keys: ['message', 'tree', 'parents'], check: oneParent },
  { method: 'POST', path: '/git/refs', keys: ['ref', 'sha'], check: newRef },
  { method: 'PATCH', path: '/git/refs/heads/:own', keys: ['sha', 'force'], check: notForced },
  { method: 'GET', path: '/pulls' },
  { method: 'POST', path: '/pulls', keys: ['title', 'body', 'head', 'base', 'draft'], check: draftOfOwn },
  { method: 'GET', path: '/pulls/:n' },
  { method: 'PATCH', path: '/pulls/:n', keys: ['title', 'body'] },
  { method: 'GET', path: '/commits/:s/check-runs' },
  { method: 'GET', path: '/commits/:s/status' },
];

const BRANCH = `${SEGMENT}(?:/${SEGMENT})*`;

function toExpression(path: string): RegExp {
  const source = path.replace(/:(n|s|ref|own)\b/g, (_all, kind: 'n' | 's' | 'ref' | 'own') => {
    return { n: String.raw`[1-9]\d{0,9}`, s: SEGMENT, ref: BRANCH, own: OWN }[kind];
  });
  return new RegExp(`^${source}$`);
}

const COMPILED = RULES.map((rule) => ({ ...rule, expression: toExpression(rule.path) }));

function refuse(what: string): never {
  throw new GuardError('allow-list', what);
}

/** Decodes once; a path that is still encoded afterwards hides something. */
function decode(path: string): string {
  let decoded: string;
  try {
    decoded = decodeURIComponent(path);
  } catch {
    return refuse('the path is not validly encoded');
  }
  return /[%\\?#\s]/.test(decoded) ? refuse('the path holds characters that no allowed path has') : decoded;
}

/** The path below the repository. Another repository, or none, is refused: a token's reach is not the only fence. */
function belowTarget(target: string, path: string): string {
  const prefix = `/repos/${target}`;
  if (!/^[\w.-]+\/[\w.-]+$/.test(target)) return refuse('the target is not owner/name');
  const decoded = decode(path);
  if (decoded !== prefix && !decoded.startsWith(`${prefix}/`)) return refuse(`only /repos/${target} may be addressed`);
  return decoded.slice(prefix.length);
}

function checkBody(rule: Rule, body: unknown): void {
  if (body === undefined || body === null || body === '') {
    if (rule.keys === undefined) return;
    return refuse(`${rule.method} ${rule.path} needs a body`);
  }
  if (typeof body !== 'object' || Array.isArray(body)) return refuse('the body is not an object');
  const extra = Object.keys(body).filter((key) => !rule.keys?.includes(key));
  if (extra.length > 0) return refuse(`${rule.method} ${rule.path} may not carry ${extra.join(', ')}`);
  const fault = rule.check?.(body as Body);
  if (fault !== undefined) refuse(fault);
}

/**
 * Passes a request to GitHub that the writer may make, throws for every other one.
 * @param target `owner/name`: the one repository that this piece of work is about
 * @param path of the API without its base and without the query, e.g. `/repos/acme/shop/issues`
 * @param body the JSON body as an object, undefined when there is none
 * @throws GuardError with the rule that was broken; callers send nothing then
 */
export function assertAllowed(target: string, method: string, path: string, body?: unknown): void {
  const below = belowTarget(target, path);
  const rule = COMPILED.find((rule) => rule.method === method.toUpperCase() && rule.expression.test(below));
  if (rule === undefined)
    return refuse(`${method.toUpperCase()} ${below === '' ? '/' : below.slice(0, 200)} is not allowed`);
  checkBody(rule, body);
}
