import type { Redactor } from '../redaction/redactor.ts';
import type { AgentConfig, LocalServer, SessionDeclaration, TaskInfo } from './session.ts';

/** Takes texts one after the other, in an order that is the same for collecting and for putting back. */
type Visit = (text: string) => string;

const orNull = (text: string | null, visit: Visit): string | null => (text === null ? null : visit(text));

const visitServer = (server: LocalServer, visit: Visit): LocalServer => ({ ...server, tools: server.tools.map(visit) });

const visitAgent = ({ githubApp, cli, model, tools }: AgentConfig, visit: Visit): AgentConfig => ({
  githubApp: orNull(githubApp, visit),
  cli: orNull(cli, visit),
  model: orNull(model, visit),
  tools: {
    remote: tools.remote.map(visit),
    localServers: mapValues(tools.localServers, (server) => visitServer(server, visit)),
  },
});

const visitTask = (task: TaskInfo, visit: Visit): TaskInfo => ({
  ...task,
  id: visit(task.id),
  title: visit(task.title),
  agentHint: orNull(task.agentHint, visit),
  dependencies: task.dependencies.map(visit),
});

const mapValues = <T>(map: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));

const visitAll = (declaration: SessionDeclaration, visit: Visit): SessionDeclaration => ({
  ...declaration,
  service: orNull(declaration.service, visit),
  agents: mapValues(declaration.agents, (agent) => visitAgent(agent, visit)),
  tasks: declaration.tasks.map((task) => visitTask(task, visit)),
});

/**
 * The declaration without secrets: callers send their whole configuration, and what is stored is shown. Names that have an
 * alphabet of their own (play, namespace, agents, servers) and the repository hold none. Equal declarations stay equal.
 * @throws GuardError when redaction fails: then the declaration may not be stored.
 */
export async function redactDeclaration(
  declaration: SessionDeclaration,
  redactor: Redactor,
): Promise<SessionDeclaration> {
  const texts: string[] = [];
  visitAll(declaration, (text) => {
    texts.push(text);
    return text;
  });
  const clean = await redactor.redactLines(texts);
  let next = 0;
  return visitAll(declaration, () => clean[next++] ?? '');
}
