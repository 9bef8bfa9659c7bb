import type { Finding } from '../detection/finding.ts';
import type { AgentConfig, Session } from '../session/session.ts';

/** Other agents whose tools are shown: they tell how a name is spelt elsewhere. */
const MAX_OTHERS = 8;
const MAX_TASKS = 20;

/** One part of the declared configuration, as `path = JSON`. */
export interface Declaration {
  readonly agent: string | null;
  readonly text: string;
}

/**
 * What the session declares that bears on the finding: the agent's CLI and model, its tools, the tools of other agents, and
 * for failures of the instructions the tasks. Names only; the play's prompts are no part of a session.
 */
export function toDeclarations(session: Session, finding: Finding): readonly Declaration[] {
  const names = Object.keys(session.agents);
  const own = names.filter((name) => name.toLowerCase() === finding.agent?.toLowerCase());
  const others =
    finding.category === 'lifecycle' ? [] : names.filter((name) => !own.includes(name)).slice(0, MAX_OTHERS);
  return [
    ...own.flatMap((name) => toOwn(name, session.agents[name])),
    ...(finding.category === 'lifecycle' ? toTasks(session) : []),
    ...others.flatMap((name) => toTools(name, session.agents[name])),
  ];
}

function toOwn(name: string, config: AgentConfig | undefined): readonly Declaration[] {
  if (config === undefined) return [];
  const { githubApp, cli, model } = config;
  return [...toTools(name, config), declare(name, `agents.${name}`, { githubApp, cli, model })];
}

const toTools = (name: string, config: AgentConfig | undefined): readonly Declaration[] =>
  config === undefined ? [] : [declare(name, `agents.${name}.tools`, config.tools)];

const toTasks = (session: Session): readonly Declaration[] => {
  const tasks = session.tasks.slice(0, MAX_TASKS).map(({ id, title, agentHint }) => ({ id, title, agentHint }));
  return [declare(null, 'tasks', tasks)];
};

const declare = (agent: string | null, path: string, value: unknown): Declaration => ({
  agent,
  text: `${path} = ${JSON.stringify(value)}`,
});
