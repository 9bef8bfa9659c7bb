import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { differences, hashDeclaration } from '#lib/domain/session/declaration.ts';
import type { SessionDeclaration } from '#lib/domain/session/session.ts';
import { aDeclaration, anAgent } from '#test/support/builders/session.ts';

/** The same value with the keys of every object in reverse order. */
function reversed<T>(value: T): T {
  if (Array.isArray(value)) return value.map(reversed) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toReversed();
  return Object.fromEntries(entries.map(([key, inner]) => [key, reversed(inner)])) as T;
}

const task = { id: '7', title: 'Task 7', agentHint: null, dependencies: [], priority: 0 };

describe('hashDeclaration', () => {
  it('does not depend on the order of keys', () => {
    const name = fc.stringMatching(/^[a-z]{1,8}$/);
    const agents = fc.dictionary(name, fc.record({ cli: name, model: name }).map(anAgent));
    fc.assert(
      fc.property(agents, (agents) => {
        const declaration = aDeclaration({ agents });
        expect(hashDeclaration(reversed(declaration))).toBe(hashDeclaration(declaration));
        expect(differences(reversed(declaration), declaration)).toEqual([]);
      }),
    );
  });

  it('does not depend on the spelling of the repository', () => {
    const url = aDeclaration({ repository: 'https://github.com/Acme/Widgets.git' });
    expect(hashDeclaration(url)).toBe(hashDeclaration(aDeclaration()));
  });
});

describe('differences', () => {
  it('do not repeat a name that may be a credential', () => {
    const name = 'Zx8Kq3Lm7Nv2Bt5Ry9Wd4Hs6Jf1Gc0';
    const paths = differences(aDeclaration({ agents: {} }), aDeclaration({ agents: { [name]: anAgent({}) } }));
    expect(paths.map(({ path }) => path)).toEqual(['cto_config.agents.*']);
  });

  it.each<{ change: Partial<SessionDeclaration>; paths: string[] }>([
    { change: { repository: 'acme/other' }, paths: ['repository'] },
    { change: { service: null }, paths: ['service'] },
    { change: { namespace: 'other' }, paths: ['namespace'] },
    { change: { agents: {} }, paths: ['cto_config.agents.rex'] },
    { change: { agents: { rex: anAgent({ model: 'other' }) } }, paths: ['cto_config.agents.rex.model'] },
    {
      change: { agents: { rex: anAgent(), constructor: anAgent() } },
      paths: ['cto_config.agents.constructor'],
    },
    {
      change: { agents: { rex: anAgent({ tools: { remote: ['docs_lookup'], localServers: {} } }) } },
      paths: ['cto_config.agents.rex.tools.remote', 'cto_config.agents.rex.tools.localServers.filesystem'],
    },
    { change: { tasks: [] }, paths: ['tasks'] },
    {
      change: { tasks: [{ ...task, agentHint: 'rex', title: 'x' }] },
      paths: ['tasks[0].title', 'tasks[0].agent_hint'],
    },
  ])('names $paths', ({ change, paths }) => {
    const other = aDeclaration(change);
    expect(differences(aDeclaration(), other).map(({ path }) => path)).toEqual(paths);
    expect(hashDeclaration(other)).not.toBe(hashDeclaration(aDeclaration()));
  });

  it('names at most twenty', () => {
    const agents = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`agent-${index}`, anAgent()]));
    expect(differences(aDeclaration(), aDeclaration({ agents }))).toHaveLength(20);
  });
});
