import * as z from 'zod';
import { InputError } from '#lib/domain/errors.ts';
import type { AgentConfig, LocalServer, SessionDeclaration, TaskInfo } from '#lib/domain/session/session.ts';
import { sayFault, toFaults } from './faults.ts';
import { LIMITS, NAME, NAME_ALPHABET, NAMESPACE, PLAY_ID } from './limits.ts';

/**
 * The body of `POST /api/v1/session/start`: the original API's fields and types, read more leniently. Optional fields may
 * be null or absent, ids of tasks may be numbers, both spellings of `githubApp` and `localServers` are read, unknown
 * fields are dropped.
 */
const Text = z
  .string()
  .refine((text) => Buffer.byteLength(text) <= LIMITS.textBytes, `is longer than ${LIMITS.textBytes} bytes, the limit`);
const FilledText = Text.refine((text) => text.trim() !== '', 'must not be empty');
const TextOrNull = Text.nullish().transform((text) => text ?? null);

const Name = z.string().regex(NAME);

const listOf = <T extends z.ZodType>(item: T, limit: number) =>
  z
    .array(item)
    .max(limit, `has too many entries: at most ${limit}`)
    .nullish()
    .transform((list) => list ?? []);

const mapOf = <T extends z.ZodType>(value: T, limit: number) =>
  z
    .record(Name, value)
    .refine((map) => Object.keys(map).length <= limit, `has too many entries: at most ${limit}`)
    .nullish()
    .transform((map) => map ?? {});

const Server = z
  .object({ enabled: z.boolean().nullish(), tools: listOf(FilledText, LIMITS.tools) })
  .nullish()
  .transform((server): LocalServer => ({ enabled: server?.enabled ?? false, tools: server?.tools ?? [] }));

const Servers = mapOf(Server, LIMITS.tools);

const Tools = z
  .object({
    remote: listOf(FilledText, LIMITS.tools),
    localServers: Servers.optional(),
    local_servers: Servers.optional(),
  })
  .nullish()
  .transform((tools) => ({
    remote: tools?.remote ?? [],
    localServers: { ...tools?.local_servers, ...tools?.localServers },
  }))
  .refine(
    ({ remote, localServers }) => countTools(remote, localServers) <= LIMITS.tools,
    `has too many tools: at most ${LIMITS.tools}, remote ones and those of local servers together`,
  );

const countTools = (remote: readonly string[], servers: Readonly<Record<string, LocalServer>>): number =>
  Object.values(servers).reduce((count, server) => count + server.tools.length, remote.length);

const Agent = z
  .object({
    githubApp: TextOrNull.optional(),
    github_app: TextOrNull.optional(),
    cli: TextOrNull,
    model: TextOrNull,
    tools: Tools,
  })
  .nullish()
  .transform(
    (agent): AgentConfig => ({
      githubApp: agent?.githubApp ?? agent?.github_app ?? null,
      cli: agent?.cli ?? null,
      model: agent?.model ?? null,
      tools: agent?.tools ?? { remote: [], localServers: {} },
    }),
  );

const TaskId = z
  .union([FilledText, z.number().transform(String)], 'must be a string (a number is read as one), not empty')
  .pipe(Text);

const PRIORITY = 'must be a whole number of 32 bits';

const Task = z
  .object({
    id: TaskId,
    title: Text,
    agent_hint: TextOrNull,
    dependencies: listOf(TaskId, LIMITS.dependencies),
    priority: z.int32(PRIORITY).nullish(),
  })
  .transform(
    ({ id, title, agent_hint, dependencies, priority }): TaskInfo => ({
      id,
      title,
      agentHint: agent_hint,
      dependencies,
      priority: priority ?? 0,
    }),
  );

export const StartRequest = z
  .object({
    play_id: z.string().regex(PLAY_ID, `must have 1 to 253 characters: ${NAME_ALPHABET}`),
    repository: Text,
    service: TextOrNull,
    namespace: z.string().regex(NAMESPACE, 'must be the name of a Kubernetes namespace').nullish(),
    cto_config: z.object({ agents: mapOf(Agent, LIMITS.agents) }).nullish(),
    tasks: listOf(Task, LIMITS.tasks),
  })
  .transform(
    ({ play_id, repository, service, namespace, cto_config, tasks }): SessionDeclaration => ({
      playId: play_id,
      repository,
      service,
      // The original's default.
      namespace: namespace ?? 'cto',
      agents: cto_config?.agents ?? {},
      tasks,
    }),
  )
  .refine(
    (declaration) => Buffer.byteLength(JSON.stringify(declaration)) <= LIMITS.declarationBytes,
    `takes more than ${LIMITS.declarationBytes} bytes once defaults are filled in, the limit: declare fewer agents, servers or tasks`,
  );

const PROTO_FAULT = {
  path: 'cto_config.agents',
  message: 'must not have an agent or a server that is named __proto__',
};

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Whether an agent or one of its servers bears the name that zod passes over without a word. */
function hasProto(body: unknown): boolean {
  const config = isMap(body) ? body['cto_config'] : undefined;
  const agents = isMap(config) ? config['agents'] : undefined;
  if (!isMap(agents)) return false;
  const servers = Object.values(agents).map((agent) => {
    const tools = isMap(agent) ? agent['tools'] : undefined;
    return isMap(tools) ? tools['localServers'] : undefined;
  });
  return [agents, ...servers].some((map) => isMap(map) && Object.hasOwn(map, '__proto__'));
}

/**
 * @throws InputError with a fault for each field that is wrong, and what would be right.
 */
export function parseStartRequest(body: unknown): SessionDeclaration {
  const parsed = StartRequest.safeParse(body, { error: sayFault });
  if (parsed.success && hasProto(body)) {
    throw new InputError('The start request is not as expected: see errors.', [PROTO_FAULT]);
  }
  if (parsed.success) return parsed.data;
  throw new InputError('The start request is not as expected: see errors.', toFaults(parsed.error));
}
