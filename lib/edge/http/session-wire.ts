import type { ListedSession } from '#lib/app/list-sessions.ts';
import type { Page } from '#lib/app/ports.ts';
import type { AgentConfig, Session, TaskInfo } from '#lib/domain/session/session.ts';
import { VERSION } from '#lib/version.ts';
import type { ReplyBody } from './reply.ts';

/**
 * The original API's answers: field names, mixed casing and nulls included. Absent optionals are null. `issues` stays
 * empty here: what Healer found is told under `healer`.
 */
const toAgentWire = ({ githubApp, cli, model, tools }: AgentConfig) => ({ githubApp, cli, model, tools });

const toTaskWire = ({ id, title, agentHint, dependencies, priority }: TaskInfo) => ({
  id,
  title,
  agent_hint: agentHint,
  dependencies,
  priority,
});

export const toSessionWire = (session: Session) => ({
  play_id: session.playId,
  repository: session.repository,
  service: session.service,
  namespace: session.namespace,
  cto_config: {
    agents: Object.fromEntries(Object.entries(session.agents).map(([name, agent]) => [name, toAgentWire(agent)])),
  },
  tasks: session.tasks.map(toTaskWire),
  started_at: session.startedAt,
  last_updated: session.lastUpdated,
  status: session.status,
  issues: [],
});

const toSummaryWire = (summary: ListedSession) => ({
  play_id: summary.playId,
  repository: summary.repository,
  status: summary.status,
  task_count: summary.taskCount,
  issue_count: summary.issueCount,
  started_at: summary.startedAt,
});

export const toHealthReply = (): ReplyBody => ({ status: 'healthy', version: VERSION, service: 'healer-play-api' });

export function toStartReply(session: Session, isRepeated: boolean): ReplyBody {
  const counts = `${session.tasks.length} task(s) and ${Object.keys(session.agents).length} agent(s)`;
  const message = isRepeated ? `Session was active already, with ${counts}` : `Session started with ${counts}`;
  return { status: 'ok', session_id: session.playId, message };
}

export const toSessionReply = (session: Session): ReplyBody => ({
  status: 'ok',
  session: toSessionWire(session),
  message: null,
  healer: { ended_at: session.endedAt, ended_by: session.endedBy },
});

export const toSessionsReply = ({ items, cursor }: Page<ListedSession>): ReplyBody => ({
  status: 'ok',
  count: items.length,
  sessions: items.map(toSummaryWire),
  next_cursor: cursor ?? null,
});
