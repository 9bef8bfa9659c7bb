import type { Finding } from '#lib/domain/detection/finding.ts';
import type { EvidencePack, EvidencePiece } from '#lib/domain/evidence/evidence-pack.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { aDeclaration, anEvidencePack, aPiece } from '#test/support/builders/an-evidence-pack.ts';

/** One failure as the diagnoser gets it, and what its diagnosis must tell. */
export interface Case {
  /** Row of the tables of patterns, or the general kind. */
  readonly row: string;
  readonly pack: EvidencePack;
  /** Words that summary, cause or remedy must hold. */
  readonly tells: readonly string[];
}

type Change = Partial<Finding> & { readonly line: string; readonly more?: readonly EvidencePiece[] };

const CLUSTER = /^(?:Pod|Job|CodeRun|Event) /;

const aCase = (row: string, change: Change, tells: readonly string[]): Case => {
  const { line, more = [], ...finding } = change;
  const kind = CLUSTER.test(line) ? ({ id: 'K1', kind: 'kubernetes' } as const) : {};
  const pack = anEvidencePack({
    finding: aFinding({ code: null, category: 'runtime', identity: {}, summary: row, ...finding }),
    pieces: [aPiece({ text: line, ...kind }), ...more],
  });
  return { row, pack, tells };
};

const DECLARED = aDeclaration(
  'agents.rex.tools = {"remote":["docs_lookup","github_create_brnch"],"localServers":{"filesystem":{"enabled":true,"tools":["read_file"]}}}',
);
const CLEO = aDeclaration(
  'agents.cleo.tools = {"remote":["github_create_branch","docs_lookup"],"localServers":{}}',
  'C2',
);
const INIT =
  '{"type":"system","subtype":"init","tools":["Bash","mcp__tools__docs_lookup","mcp__tools__github_create_branch"],"mcp_servers":[{"name":"tools","status":"connected"}]}';

const preflight = { category: 'preflight' } as const;
const lifecycle = { category: 'lifecycle', severity: 'high' } as const;
const critical = { severity: 'critical' } as const;

/** Ends as the cluster's own objects tell them. */
const KUBERNETES_CASES: readonly Case[] = [
  aCase(
    'OOMKilled, from the container',
    {
      ...critical,
      pattern: 'kubernetes.oom',
      line: 'Pod play-7f3a-rex-x2k4q container agent terminated: reason=OOMKilled exitCode=137 memoryLimit=512Mi',
    },
    ['Agent rex ran out of memory', 'Kubernetes says', '`512Mi`', 'resources.limits.memory'],
  ),
  aCase(
    'deadline of a Job',
    {
      severity: 'high',
      pattern: 'kubernetes.deadline',
      line: 'Job play-7f3a-rex Failed: DeadlineExceeded: Job was active longer than specified deadline (active=0 succeeded=0 failed=1)',
    },
    ['ended by Kubernetes at the deadline of its Job', 'activeDeadlineSeconds'],
  ),
  aCase(
    'init container',
    {
      ...critical,
      pattern: 'kubernetes.init-container',
      identity: { container: 'clone', end: 'error' },
      line: 'Pod play-7f3a-rex-x2k4q init container clone terminated: reason=Error exitCode=128: fatal: repository not found',
    },
    ['init container `clone`', 'exit code `128`', '-c clone'],
  ),
  aCase(
    'missing secret of the environment',
    {
      ...critical,
      pattern: 'kubernetes.container-config',
      line: 'Pod play-7f3a-rex-x2k4q container agent waits: CreateContainerConfigError: secret "rex-keys" not found (image images.example.com/agent:1)',
    },
    ['Secret `rex-keys`', "grep -e 'rex-keys'"],
  ),
  aCase(
    'program that cannot be started',
    {
      ...critical,
      pattern: 'kubernetes.cannot-run',
      line: 'Pod play-7f3a-rex-x2k4q container agent terminated: reason=StartError exitCode=128: exec: "agent-cli": executable file not found in $PATH',
    },
    ['`agent-cli`'],
  ),
  aCase(
    'container that ended without a word',
    {
      ...critical,
      pattern: 'kubernetes.exit',
      identity: { end: 'error' },
      line: 'Pod play-7f3a-rex-x2k4q container agent terminated: reason=Error exitCode=2',
    },
    ['exit code `2`', 'no line before it says why'],
  ),
  aCase(
    'run that failed and left no pod',
    {
      ...critical,
      pattern: 'kubernetes.run-failed',
      line: 'CodeRun play-7f3a-rex Failed: Job has reached the specified backoff limit',
    },
    ['ended without finishing', 'Kubernetes says'],
  ),
  aCase(
    'pod that ended well without a closing event',
    {
      severity: 'high',
      pattern: 'kubernetes.no-result',
      line: 'Pod play-7f3a-rex-x2k4q Succeeded: its containers ended with exit code 0, and no closing event of claude-code was read',
    },
    ['stopped without its closing event'],
  ),
  aCase(
    'quota',
    {
      severity: 'high',
      pattern: 'kubernetes.create',
      line: 'Event FailedCreate (Warning, 4 times) of Job play-7f3a-rex: pods "play-7f3a-rex-" is forbidden: exceeded quota: agents, requested: pods=1',
    },
    ['`agents`', 'resourcequota'],
  ),
  aCase(
    'unpullable image, from the container',
    {
      ...critical,
      pattern: 'kubernetes.image',
      line: 'Pod play-7f3a-rex-x2k4q container agent waits: ImagePullBackOff: Back-off pulling image "images.example.com/agent:none" (image images.example.com/agent:none)',
    },
    ['`images.example.com/agent:none`'],
  ),
];

export const CASES: readonly Case[] = [
  ...KUBERNETES_CASES,
  aCase(
    'turns used up, in a result event',
    { pattern: 'run.turns-exhausted', line: '{"type":"result","subtype":"error_max_turns","duration_ms":1498211}' },
    ['used up its turns and gave up'],
  ),
  aCase(
    'node pressure',
    { pattern: 'kubernetes.node-pressure', agent: null, line: 'Pod worker-7: NodeHasDiskPressure' },
    ['is short of `DiskPressure`', 'will remove some'],
  ),
  aCase(
    'stale handle',
    {
      ...critical,
      pattern: 'filesystem.denied',
      line: "Error: ESTALE: stale file handle, open '/workspace/shared/plan.json'",
    },
    ['stale file handle', '`/workspace/shared/plan.json`'],
  ),
  aCase(
    'a timeout that names a source file',
    { pattern: 'network.timeout', line: 'openhands:ERROR: action_execution_server.py:390 - McpError: Timed out' },
    ['waited for an answer that did not come'],
  ),
  aCase(
    'A11 with a field missing',
    {
      ...preflight,
      ...critical,
      code: 'A11',
      pattern: 'config.cli-invalid',
      line: 'Error: settings.json: missing field `cmd` at line 41 column 7',
    },
    ['`settings.json` is invalid'],
  ),
  aCase(
    'A10 of a tool that nothing declares',
    {
      ...preflight,
      code: 'A10',
      pattern: 'tools.not-callable',
      identity: { tool: 'run_shell_command' },
      line: 'Error executing tool run_shell_command: Tool "run_shell_command" not found in registry.',
    },
    ['runs without `run_shell_command`: its CLI does not offer it'],
  ),
  aCase(
    'a pod that is no agent',
    {
      ...critical,
      agent: null,
      pod: 'tools-server-0',
      pattern: 'kubernetes.oom',
      line: 'Pod tools-server-0 container server terminated: reason=OOMKilled exitCode=137',
    },
    ['Pod tools-server-0 ran out of memory'],
  ),
  aCase(
    'A10 tool inventory mismatch',
    {
      ...preflight,
      code: 'A10',
      pattern: 'tools.inventory-mismatch',
      identity: { tool: 'github_create_brnch' },
      line: 'WARN tool inventory mismatch - declared tools: [docs_lookup, github_create_brnch] - missing: [github_create_brnch]',
      more: [DECLARED],
    },
    ['`github_create_brnch`', 'agents.rex.tools.remote'],
  ),
  aCase(
    'A10 Tool inventory MISMATCH (one named tool)',
    {
      ...preflight,
      code: 'A10',
      pattern: 'tools.inventory-mismatch',
      line: 'ERROR: Tool inventory MISMATCH - missing from CLI: [web_search]',
    },
    ['`web_search`'],
  ),
  aCase(
    'A10 declared tools missing',
    {
      ...preflight,
      code: 'A10',
      pattern: 'tools.declared-missing',
      line: '[ERROR] declared tools missing: [repo_search, docs_lookup]',
    },
    ['`repo_search`', '`docs_lookup`'],
  ),
  aCase(
    'A10 by comparison, spelled right for another agent',
    {
      ...preflight,
      code: 'A10',
      pattern: 'check.tools',
      identity: { tool: 'github_create_brnch' },
      line: INIT,
      more: [DECLARED, CLEO],
    },
    ['misspelling of `github_create_branch`', '= "github_create_branch"'],
  ),
  aCase(
    'A10 by comparison, near name only in the log',
    {
      ...preflight,
      code: 'A10',
      pattern: 'check.tools',
      identity: { tool: 'github_create_brnch' },
      line: INIT,
      more: [DECLARED],
    },
    ['`github_create_branch`', 'a log is no authority', '= "CORRECT_NAME"'],
  ),
  aCase(
    'A10 of a local server',
    {
      ...preflight,
      code: 'A10',
      pattern: 'check.tools',
      identity: { tool: 'read_file' },
      line: '{"type":"system","subtype":"init","tools":["Bash"]}',
      more: [DECLARED],
    },
    ['agents.rex.tools.localServers.filesystem.tools'],
  ),
  aCase(
    'A11 cto-config missing',
    {
      ...preflight,
      ...critical,
      code: 'A11',
      pattern: 'config.cto',
      line: 'FATAL: cto-config not found at /workspace/config/cto-config.json',
    },
    ['cto-config.json', 'missing', 'get configmap'],
  ),
  aCase(
    'A11 cto-config invalid',
    {
      ...preflight,
      ...critical,
      code: 'A11',
      pattern: 'config.cto',
      line: 'level=error cto-config invalid: parse error at line 12 column 3',
    },
    ['invalid', 'line 12 column 3', 'jq empty'],
  ),
  aCase(
    'A11 ConfigMap absent',
    {
      ...preflight,
      ...critical,
      code: 'A11',
      pattern: 'kubernetes.config-mount',
      line: 'Pod play-7f3a-rex-x2k4q: FailedMount MountVolume.SetUp failed for volume "play-config" : configmap "cto-config-play-7f3a" not found',
    },
    ['ConfigMap `cto-config-play-7f3a`', 'get configmap cto-config-play-7f3a'],
  ),
  aCase(
    'A12 mcp failed to initialize',
    {
      ...preflight,
      code: 'A12',
      pattern: 'mcp.failed-to-initialize',
      identity: { server: 'git' },
      line: "ERROR: MCP server 'git' failed to initialize: permission denied",
    },
    ['`git`', 'executed'],
  ),
  aCase(
    'A12 by comparison',
    {
      ...preflight,
      code: 'A12',
      pattern: 'check.servers',
      identity: { server: 'memory' },
      line: '{"type":"system","subtype":"init","tools":["Bash"],"mcp_servers":[{"name":"memory","status":"failed"}]}',
      more: [aDeclaration('agents.rex.tools.localServers = {"memory":{"enabled":true,"tools":[]}}')],
    },
    ['`memory`', 'not connected', 'localServers'],
  ),
  aCase(
    'A12 tools-server unreachable',
    {
      ...preflight,
      ...critical,
      code: 'A12',
      pattern: 'mcp.tools-server',
      line: 'ERROR: tools-server unreachable: dial tcp 10.0.0.31:3000: connect: no route to host',
    },
    ['`10.0.0.31:3000`', 'nc -zv -w 5 10.0.0.31 3000', 'every other agent'],
  ),
  aCase(
    'panicked at',
    {
      ...critical,
      pattern: 'crash.panic',
      line: "thread 'main' panicked at 'index out of bounds: the len is 3 but the index is 7', src/planner.rs:42:17",
    },
    ['`src/planner.rs:42:17`', 'panicked'],
  ),
  aCase(
    'fatal error',
    { ...critical, pattern: 'crash.fatal', line: 'fatal error: all goroutines are asleep - deadlock!' },
    ['`all goroutines are asleep - deadlock!`'],
  ),
  aCase(
    'timeout',
    {
      pattern: 'network.timeout',
      line: 'Error: request to https://llm.example.com/v1/messages timed out after 600000ms',
    },
    ['`llm.example.com`', 'in time'],
  ),
  aCase(
    'connection refused',
    {
      pattern: 'network.refused',
      line: 'API Error: Connection error: dial tcp 10.0.4.9:8080: connect: connection refused',
    },
    ['`10.0.4.9:8080`', 'nc -zv -w 5 10.0.4.9 8080'],
  ),
  aCase(
    'max retries exceeded',
    {
      pattern: 'run.retries-exhausted',
      line: 'MaxRetriesPerRequestError: Reached the max retries per request limit (which is 20).',
    },
    ['`20`', 'used up'],
  ),
  aCase(
    'turns used up',
    {
      pattern: 'run.turns-exhausted',
      line: 'RuntimeError: Agent reached maximum iteration. Current iteration: 500, max iteration: 500',
    },
    ['turns'],
  ),
  aCase(
    'permission denied filesystem',
    {
      ...critical,
      pattern: 'filesystem.denied',
      line: "Error: EACCES: permission denied, mkdir '/workspace/repo/tasks' (filesystem)",
    },
    ['`/workspace/repo/tasks`', 'ls -ldn /workspace/repo/tasks', 'fsGroup'],
  ),
  aCase(
    'read-only file system',
    {
      ...critical,
      pattern: 'filesystem.denied',
      line: "Error: EROFS: read-only file system, open '/workspace/repo/a.txt'",
    },
    ['read-only', 'readOnly'],
  ),
  aCase(
    'unauthorized',
    {
      ...critical,
      pattern: 'api.credentials',
      line: 'unexpected status 401 Unauthorized: {"detail":"Unauthorized"}, url: https://llm.example.com/v1/responses',
    },
    ['`llm.example.com`', '401', 'secret'],
  ),
  aCase(
    'invalid token (expired)',
    {
      ...critical,
      pattern: 'api.credentials',
      line: 'Failed to authenticate. API Error: 401 OAuth token has expired.',
    },
    ['expired', 'Issue a new token'],
  ),
  aCase(
    'missing scope',
    {
      ...critical,
      pattern: 'api.credentials',
      line: 'status 401: You have insufficient permissions for this operation. Missing scopes: api.responses.write.',
    },
    ['lack a right'],
  ),
  aCase(
    'template not found',
    {
      ...lifecycle,
      pattern: 'instructions.template',
      line: '{"level":"error","msg":"Template not found","path":"agents/rex/identity.md.hbs"}',
    },
    ['`agents/rex/identity.md.hbs`', 'identity'],
  ),
  aCase(
    'template not filled in',
    {
      ...lifecycle,
      pattern: 'instructions.placeholder',
      identity: { name: 'task_id' },
      line: 'Implement task {{task_id}}: {{task_title}}.',
    },
    ['`{{task_id}}`', 'placeholder'],
  ),
  aCase(
    'prompt missing',
    {
      ...lifecycle,
      pattern: 'instructions.prompt',
      line: 'level=error msg="system prompt is missing" path=/task-files/system-prompt.md',
    },
    ['`/task-files/system-prompt.md`', 'ls -l /task-files/system-prompt.md'],
  ),
  aCase(
    'role undefined',
    { ...lifecycle, pattern: 'instructions.role', line: '/entrypoint.sh: line 27: AGENT_ROLE: unbound variable' },
    ['`AGENT_ROLE`', 'role was not set'],
  ),
  aCase(
    'task context empty',
    { ...lifecycle, pattern: 'instructions.task', line: 'WARN task context for task 1 is empty' },
    ['details of its task', '`task 1`'],
  ),
  aCase(
    'context window',
    { pattern: 'api.context', line: 'ContextWindowExceededError: prompt is too long: 311022 tokens > 200000 maximum' },
    ['`311022 tokens > 200000`', 'Split the task'],
  ),
  aCase('rate limit', { pattern: 'api.rate-limit', line: 'exceeded retry limit, last status: 429 Too Many Requests' }, [
    'rate limit',
    '429',
  ]),
  aCase(
    'budget used up',
    { pattern: 'api.quota', line: 'Budget has been exceeded! Current cost: 500.031, Max budget: 500.0' },
    ['budget or usage limit', 'Raise the limit'],
  ),
  aCase(
    'DNS',
    {
      pattern: 'network.dns',
      line: "fatal: unable to access 'https://git.example.com/acme/app.git/': Could not resolve host: git.example.com",
    },
    ['`git.example.com`', 'nslookup git.example.com'],
  ),
  aCase(
    'TLS',
    { pattern: 'network.tls', line: 'Error: unable to verify the first certificate, https://llm.example.com/v1' },
    ['certificate', 'openssl s_client -connect llm.example.com:443'],
  ),
  aCase(
    'model not found',
    {
      pattern: 'api.model-unknown',
      identity: { model: 'some-model-9' },
      line: 'API Error: 404 model: some-model-9 not found',
    },
    ['`some-model-9`', "grep -i -e 'some-model-9'"],
  ),
  aCase(
    'push refused',
    {
      ...critical,
      pattern: 'git.not-delivered',
      line: 'remote: Permission to acme/widgets.git denied to agent-bot[bot].',
    },
    ['`acme/widgets`', 'git bundle', '`contents: write`'],
  ),
  aCase(
    'push to a protected branch',
    { pattern: 'git.not-delivered', line: '! [remote rejected] main -> main (protected branch hook declined)' },
    ['branch rule', 'pull request'],
  ),
  aCase(
    'OOM',
    {
      ...critical,
      pattern: 'kubernetes.oom',
      line: 'Pod play-7f3a-rex-x2k4q container agent terminated OOMKilled exit code 137',
    },
    ['memory', 'resources.limits.memory'],
  ),
  aCase(
    'heap',
    {
      ...critical,
      pattern: 'crash.memory',
      line: 'FATAL ERROR: Ineffective mark-compacts near heap limit Allocation failed - JavaScript heap out of memory',
    },
    ['heap', 'max-old-space-size'],
  ),
  aCase(
    'eviction',
    {
      ...critical,
      pattern: 'kubernetes.evicted',
      line: 'Pod play-7f3a-rex-x2k4q Evicted: The node was low on resource: ephemeral-storage. Threshold quantity: 15763389861.',
    },
    ['`ephemeral-storage`', 'get nodes'],
  ),
  aCase(
    'image',
    {
      ...critical,
      pattern: 'kubernetes.image',
      line: 'Pod play-7f3a-rex-x2k4q Failed to pull image "images.example.com/private/agent:v1": not found',
    },
    ['`images.example.com/private/agent:v1`', 'docker manifest inspect images.example.com/private/agent:v1'],
  ),
  aCase(
    'scheduling',
    {
      pattern: 'kubernetes.scheduling',
      line: 'Pod play-7f3a-rex-x2k4q FailedScheduling 0/3 nodes are available: 3 Insufficient memory.',
    },
    ['no node takes its pod'],
  ),
  aCase(
    'mount',
    { pattern: 'kubernetes.mount', line: 'Pod play-7f3a-rex-x2k4q FailedMount secret "rex-keys" not found' },
    ['`rex-keys`'],
  ),
  aCase(
    'disk full',
    { ...critical, pattern: 'filesystem.disk', line: 'write /workspace/build/data: no space left on device' },
    ['disk is full', 'df -h'],
  ),
  aCase(
    'program absent',
    {
      ...critical,
      pattern: 'exec.not-found',
      identity: { command: 'claude' },
      line: '/entrypoint.sh: line 9: claude: command not found',
    },
    ['`claude`', 'command -v claude'],
  ),
  aCase('hang', { pattern: 'run.hang', line: 'watchdog: no output for 1800s, sending SIGTERM to pid 31' }, ['ps -ef']),
  aCase('exit code', { pattern: 'run.exit-code', identity: { code: '3' }, line: 'agent ended with exit code 3' }, [
    '`3`',
    '--previous',
  ]),
  aCase(
    'something unknown',
    { pattern: 'run.failed', summary: 'the run ended with an error', line: 'Error: the flux of `gears` went "wrong"' },
    ['the run ended with an error', 'not its cause'],
  ),
];
