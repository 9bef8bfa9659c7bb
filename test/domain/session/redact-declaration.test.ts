import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor, REDACTION_RULES } from '#lib/domain/redaction/redactor.ts';
import { redactDeclaration } from '#lib/domain/session/redact-declaration.ts';
import { aDeclaration, anAgent } from '#test/support/builders/session.ts';

const secret = ['ghp', 'x7Kq2mW9'.repeat(4).concat('Zt41')].join('_');
const redactor = createRedactor();

describe('redactDeclaration', () => {
  it('leaves an ordinary declaration as it is', async () => {
    expect(await redactDeclaration(aDeclaration(), redactor)).toEqual(aDeclaration());
  });

  it.each([
    [
      'the title of a task',
      { tasks: [{ id: '7', title: `Use ${secret}`, agentHint: null, dependencies: [], priority: 0 }] },
    ],
    ['a hint', { tasks: [{ id: '7', title: 'T', agentHint: secret, dependencies: [], priority: 0 }] }],
    ['a model', { agents: { rex: anAgent({ model: secret }) } }],
    ['a tool', { agents: { rex: anAgent({ tools: { remote: ['docs_lookup', secret], localServers: {} } }) } }],
    [
      'a tool of a server',
      { agents: { rex: anAgent({ tools: { remote: [], localServers: { fs: { enabled: true, tools: [secret] } } } }) } },
    ],
    ['the service', { service: `key=${secret}` }],
  ])('takes a secret out of %s, and nothing else', async (_where, change) => {
    const dirty = aDeclaration(change);
    const clean = JSON.stringify(await redactDeclaration(dirty, redactor));
    expect(clean).not.toContain(secret.slice(6));
    expect(clean).toContain('[redacted:');
    expect(clean).toContain('play-demo-x7k2q');
  });

  it('keeps the shape and the order of whatever is declared, and does the same again', async () => {
    const text = fc.string({ maxLength: 40 });
    const agents = fc.dictionary(
      fc.constantFrom('rex', 'cleo', 'nova'),
      fc.record({ remote: fc.array(text, { maxLength: 4 }), model: fc.option(text) }),
    );
    await fc.assert(
      fc.asyncProperty(agents, async (declared) => {
        const dirty = aDeclaration({
          agents: Object.fromEntries(
            Object.entries(declared).map(([name, { remote, model }]) => [
              name,
              anAgent({ model, tools: { remote, localServers: {} } }),
            ]),
          ),
        });
        const clean = await redactDeclaration(dirty, redactor);
        expect(Object.keys(clean.agents)).toEqual(Object.keys(dirty.agents));
        for (const [name, agent] of Object.entries(clean.agents))
          expect(agent.tools.remote).toHaveLength(dirty.agents[name]?.tools.remote.length ?? -1);
        expect(await redactDeclaration(dirty, redactor)).toEqual(clean);
      }),
      { numRuns: 50 },
    );
  });

  it('fails closed', async () => {
    const find = () => {
      throw new Error('broken');
    };
    const broken = createRedactor({ rules: [...REDACTION_RULES, { kind: 'broken', shape: 'token', find }] });
    await expect(redactDeclaration(aDeclaration(), broken)).rejects.toThrow(/redaction/);
  });
});
