import type { Finding } from '../detection/finding.ts';

/** Who can fix it: the people of the platform (configuration, tools, infrastructure) or of the play's repository. */
export type Owner = 'platform' | 'run';

interface FamilyRule {
  readonly owner: Owner;
  /** Ids of patterns and checks that belong here (`tool-inventory-mismatch`, `k8s.oom-killed`). */
  readonly pattern: RegExp;
  /** Words of the failing line that tell the family when the pattern's id does not. */
  readonly text: RegExp;
}

/**
 * Kinds of failure that have one explanation each. The first rule that fits decides, so special ones stand before
 * general ones. Owners follow section 7 of the design.
 */
const RULES = {
  'tools-server': {
    owner: 'platform',
    pattern: /tools?[-.]server/,
    text: /tools-server.{0,200}(?:unreachable|refused|unavailable|down|no route|ECONN)/i,
  },
  tools: {
    owner: 'platform',
    pattern:
      /^tools\.|inventory|(?:declared|missing|unresolved|unavailable|unknown|absent|offered|refused)[-.]tools?|tools?[-.](?:missing|not|un|mismatch|absent|offered|refused)/,
    text: /tool inventory mismatch|missing from CLI|declared tools?\b.{0,200}missing|unresolved tools?|unavailable tool|tool not found|not found in (?:tool )?(?:registry|catalog)/i,
  },
  template: {
    owner: 'run',
    pattern: /template|placeholder/,
    text: /template(?:s)?\b.{0,80}not ?found|TemplateNotFound|\{\{\s*\w+\s*\}\}/i,
  },
  prompt: {
    owner: 'run',
    pattern: /prompt|input[-.]missing/,
    text: /prompt.{0,80}(?:missing|not found|empty|0 bytes)|no prompt provided|input must be provided/i,
  },
  role: { owner: 'run', pattern: /role/, text: /role\b.{0,60}(?:undefined|unbound|not set)|ROLE: unbound/i },
  task: {
    owner: 'run',
    pattern: /task|asked-back/,
    text: /task (?:context|details?)\b.{0,60}(?:empty|missing)|missing required parameters?:.{0,40}task/i,
  },
  memory: {
    owner: 'platform',
    pattern: /\boom|memory|heap/,
    text: /OOM ?Killed|out of memory|heap limit|exit ?code[= ]137/i,
  },
  eviction: {
    owner: 'platform',
    pattern: /evict|pressure|preempt|node[-.]lost/,
    text: /\bevicted\b|low on resource|DiskPressure|MemoryPressure|NodeLost/i,
  },
  image: {
    owner: 'platform',
    pattern: /image|err-?image/,
    text: /ImagePullBackOff|ErrImagePull|pull(?:ing)? (?:the )?image|InvalidImageName/i,
  },
  scheduling: {
    owner: 'platform',
    pattern: /schedul|insufficient/,
    text: /FailedScheduling|Unschedulable|nodes are available/i,
  },
  'container-config': {
    owner: 'platform',
    pattern: /container-?config/,
    text: /CreateContainerConfigError/i,
  },
  deadline: {
    owner: 'run',
    pattern: /^kubernetes\.deadline$/,
    text: /Job was active longer than|Failed: DeadlineExceeded/,
  },
  init: { owner: 'platform', pattern: /^kubernetes\.init-container$/, text: /init container \S+ terminated/ },
  'no-result': { owner: 'run', pattern: /^kubernetes\.no-result$/, text: /no closing event of/ },
  create: { owner: 'platform', pattern: /^kubernetes\.create$/, text: /FailedCreate\b/ },
  mount: {
    owner: 'platform',
    pattern: /mount|volume/,
    text: /FailedMount|MountVolume|unable to attach or mount/i,
  },
  mcp: {
    owner: 'platform',
    pattern: /mcp|extension[-.]|(?:server)[-.](?:not|un|failed|missing|absent)/,
    text: /\bmcp\b.{0,200}(?:fail|unreachable|timed? ?out|clos|not responding|invalid)/i,
  },
  configuration: {
    owner: 'platform',
    pattern: /cto|config|settings/,
    text: /cto-config|(?:config|configuration)\b.{0,80}(?:missing|invalid|not found|parse error)|error loading config/i,
  },
  delivery: {
    owner: 'run',
    pattern: /push|pull-?request|deliver|git(?![a-z])|branch|protected/,
    text: /failed to push|push (?:declined|rejected|failed)|\[(?:remote )?rejected\]|Permission to \S+ denied|remote: error/i,
  },
  disk: {
    owner: 'platform',
    pattern: /disk|no-?space|enospc|storage/,
    text: /no space left on device|ENOSPC|disk quota exceeded/i,
  },
  dns: {
    owner: 'platform',
    pattern: /dns|resolve|name-?resolution|lookup|eai|enotfound/,
    text: /could not resolve host|EAI_AGAIN|ENOTFOUND|name resolution|no such host|dns error/i,
  },
  tls: {
    owner: 'platform',
    pattern: /tls|ssl|certificate|x509/,
    text: /certificate|x509|\bTLS\b|\bSSL\b|SELF_SIGNED|UNABLE_TO_VERIFY/i,
  },
  context: {
    owner: 'run',
    pattern: /context|too-?(?:long|large)|payload|prompt-too|token-?limit/,
    text: /context (?:limit|window|length)|prompt is too long|ContextWindow|Payload Too Large|maximum (?:allowed )?content length|body exceeds/i,
  },
  quota: {
    owner: 'platform',
    pattern: /quota|rate[-.]?limit|usage|budget|billing|overload|429|529/,
    text: /rate ?limit|quota|usage limit|too many requests|overloaded|budget has been exceeded|resource_exhausted|\b429\b|\b529\b/i,
  },
  credentials: {
    owner: 'platform',
    pattern: /unauthori|auth|token|credential|forbidden|api-?key|login|401|403|suspended/,
    text: /unauthori[sz]ed|invalid (?:api )?(?:token|key)|authenticat|token (?:has )?expired|\b401\b|\b403\b|bad credentials/i,
  },
  permission: {
    owner: 'platform',
    pattern: /permission|eacces|eperm|read-?only|erofs|filesystem|ownership|sandbox|estale|stale|not-?allowed/,
    text: /permission ?denied|EACCES|EPERM|EROFS|read-only file ?system|operation not permitted|dubious ownership|stale file handle/i,
  },
  model: {
    owner: 'platform',
    pattern: /model|provider|llm|api-error|api\.retry/,
    text: /model\b.{0,80}(?:not found|does not exist|unavailable|not supported)|model_not_found/i,
  },
  retries: {
    owner: 'run',
    pattern: /retr(?:y|ies)|attempts|max[-.](?:turns|iterations?|steps)|turns|iteration/,
    text: /max(?:imum)? (?:retries|iterations?|turns|attempts)|retry limit|error_max_turns/i,
  },
  refused: {
    owner: 'platform',
    pattern: /refused|unreachable|econn|connect|api\.network|reset|docker/,
    text: /connection refused|ECONNREFUSED|ECONNRESET|no route to host|unable to connect|error sending request|fetch failed/i,
  },
  silent: { owner: 'run', pattern: /silent|stall|stuck|hang|hung|no-output|watchdog/, text: /no output for|watchdog/i },
  timeout: { owner: 'run', pattern: /time-?d?-?out|deadline/, text: /tim(?:ed? ?)out|deadline exceeded|ETIMEDOUT/i },
  program: {
    owner: 'platform',
    pattern: /exec\.not-found|command-not-found|no-package|cannot-run/,
    text: /command not found|executable file not found|spawn \S+ ENOENT/i,
  },
  exit: {
    owner: 'run',
    pattern: /exit|killed|terminated|signal|back-?off|crash-?loop|(?:pod|run)-failed|container/,
    text: /exit(?:ed)? (?:code|status)|\bKilled\b|CrashLoopBackOff|restarting failed container/i,
  },
  panic: { owner: 'run', pattern: /panic/, text: /panicked at|\bpanic:/i },
  fatal: {
    owner: 'run',
    pattern: /fatal|crash|segfault|abort|exception|traceback/,
    text: /fatal error|segmentation fault|\bfatal:|core dumped|Traceback/i,
  },
} as const satisfies Record<string, FamilyRule>;

export type Family = keyof typeof RULES | 'unknown';

const FAMILIES = Object.entries(RULES) as readonly (readonly [Exclude<Family, 'unknown'>, FamilyRule])[];

const LIFECYCLE: ReadonlySet<Family> = new Set(['template', 'prompt', 'role', 'task']);
const INSTRUCTIONS = FAMILIES.filter(([family]) => LIFECYCLE.has(family));
const FAILURES = FAMILIES.filter(([family]) => !LIFECYCLE.has(family));

/**
 * Kind of the failure: the code decides first, then the pattern's id, then the words of the failing line (where given).
 * Only `lifecycle` findings are about instructions: a pattern of another category that has "task" in its name is not.
 */
export function familyOf(finding: Pick<Finding, 'code' | 'category' | 'pattern'>, text = ''): Family {
  if (finding.code === 'A10') return 'tools';
  if (finding.code === 'A11') return 'configuration';
  if (finding.code === 'A12') return isToolsServer(finding.pattern, text) ? 'tools-server' : 'mcp';
  if (finding.category === 'lifecycle') return ofRules(INSTRUCTIONS, finding.pattern, text) ?? 'prompt';
  return ofRules(FAILURES, finding.pattern, text) ?? 'unknown';
}

function ofRules(rules: typeof FAMILIES, pattern: string, text: string): Family | undefined {
  const byPattern = rules.find(([, rule]) => rule.pattern.test(pattern));
  return (byPattern ?? rules.find(([, rule]) => rule.text.test(text.slice(0, 8_000))))?.[0];
}

/** Who can fix the finding; what is not known is a failure of the run. */
export function ownerOf(finding: Pick<Finding, 'code' | 'category' | 'pattern'>): Owner {
  const family = familyOf(finding);
  return family === 'unknown' ? 'run' : RULES[family].owner;
}

const isToolsServer = (pattern: string, text: string): boolean =>
  RULES['tools-server'].pattern.test(pattern) || RULES['tools-server'].text.test(text.slice(0, 8_000));
