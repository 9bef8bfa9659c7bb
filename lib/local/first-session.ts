import type { LocalStack } from './stack.ts';
import type { Stage } from './stages.ts';

/** A play as an MCP server announces it. */
function announcement(repository: string) {
  return {
    play_id: 'first-play',
    repository,
    service: 'widgets-api',
    namespace: 'cto',
    cto_config: {
      agents: {
        rex: {
          githubApp: 'Acme-Rex',
          cli: 'claude',
          model: 'some-model',
          tools: { remote: ['docs_lookup', 'github_create_branch'], localServers: {} },
        },
      },
    },
    tasks: [{ id: '7', title: 'Task 7', dependencies: [] }],
  };
}

/** A repository that the allow list lets in, e.g. `acme/widgets` for `acme/*`. */
function allowedRepository(allowed: string): string {
  const [first = ''] = allowed.split(',').map((entry) => entry.trim());
  return /^[^/]+\/[^*]+$/.test(first) ? first : `${first.split('/')[0]}/widgets`;
}

async function ask(stack: LocalStack, path: string, body?: object): Promise<{ [field: string]: unknown }> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(`${stack.url}${path}`, body === undefined ? {} : post);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text) as { [field: string]: unknown };
}

/** Starts a session by HTTP as an MCP server does, and looks for it in the list of active ones. */
export function firstSessionStages(allowedRepositories: string): readonly Stage[] {
  const body = announcement(allowedRepository(allowedRepositories));
  return [
    {
      name: 'session started by HTTP',
      async run(stack) {
        const answer = await ask(stack, '/api/v1/session/start', body);
        if (answer['session_id'] !== body.play_id)
          throw new Error(`the answer names another session: ${JSON.stringify(answer)}`);
        return String(answer['message']);
      },
    },
    {
      name: 'listed active',
      async run(stack) {
        const { sessions } = await ask(stack, '/api/v1/sessions/active');
        const ids = (sessions as readonly { play_id: string }[]).map(({ play_id }) => play_id);
        if (!ids.includes(body.play_id)) throw new Error(`${body.play_id} is not among ${JSON.stringify(ids)}`);
        return ids.join(', ');
      },
    },
  ];
}
