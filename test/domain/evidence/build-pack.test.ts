import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntryRef, LogEntry } from '#lib/domain/detection/finding.ts';
import { entryHash } from '#lib/domain/detection/to-finding.ts';
import { GuardError } from '#lib/domain/errors.ts';
import { type AttributedEntry, buildEvidencePack, type GatheredEvidence } from '#lib/domain/evidence/build-pack.ts';
import { decodePack, encodePack, MAX_PACK_BYTES } from '#lib/domain/evidence/encode-pack.ts';
import { toEvidenceTime } from '#lib/domain/evidence/evidence-time.ts';
import { redactFinding } from '#lib/domain/evidence/redact-finding.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { leaks } from '#test/domain/redaction/leaks.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anAgent, aSession } from '#test/support/builders/session.ts';

const START = 1_767_888_251_000_000_000n;
const SECOND = 1_000_000_000n;
const REX = 'play-7f3a-rex-x2k4q';
const CLEO = 'play-7f3a-cleo-p9s2d';
const redactor = createRedactor();

/** Put together so that no scanner finds it in this repository. */
const TOKEN = ['gh', 'p_Ab3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0dF3hJ6'].join('');

const anEntry = (seconds: number, line: string, pod = REX): AttributedEntry => {
  const entry: LogEntry = { ns: START + BigInt(Math.round(seconds * 1000)) * 1_000_000n, line, labels: { pod } };
  return { entry, agent: pod === REX ? 'rex' : 'cleo', pod, container: 'agent' };
};

const aRef = ({ entry, pod, container }: AttributedEntry): EntryRef => ({
  ns: entry.ns,
  pod,
  container,
  hash: entryHash(entry),
});

/** Evidence of a finding whose hits are the given entries. */
function gathered(
  entries: readonly AttributedEntry[],
  hits: readonly AttributedEntry[],
  change: Partial<GatheredEvidence> = {},
): GatheredEvidence {
  const [anchor, ...also] = hits.map(aRef);
  const moments = hits.map(({ entry }) => entry.ns).toSorted((a, b) => Number(a - b));
  const finding = aFinding({
    ...(anchor && { anchor }),
    also,
    firstNs: moments[0] ?? START,
    lastNs: moments.at(-1) ?? START,
  });
  return {
    incidentId: 'i1',
    playId: 'play-7f3a',
    repository: 'acme/widgets',
    namespace: 'cto',
    session: aSession(),
    finding,
    entries,
    gaps: [],
    occurrences: { count: 1, plays: ['play-7f3a'] },
    gatheredAt: '2026-01-08T16:05:30.000Z',
    ...change,
  };
}

const build = (evidence: GatheredEvidence) => buildEvidencePack(evidence, redactor);

describe('toEvidenceTime', () => {
  it.each([
    [1_767_888_251_123_456_789n, '2026-01-08T16:04:11.123456789Z'],
    [0n, '1970-01-01T00:00:00.000000000Z'],
    [-1n, '1969-12-31T23:59:59.999999999Z'],
  ])('%s', (ns, expected) => expect(toEvidenceTime(ns)).toBe(expected));
});

describe('buildEvidencePack', () => {
  it('numbers lines in order of time and marks the hits', async () => {
    const hit = anEntry(5, 'ERROR tool inventory mismatch');
    const pack = await build(gathered([anEntry(9, 'push refused', CLEO), hit, anEntry(1, 'starting')], [hit]));
    const lines = pack.pieces.filter(({ kind }) => kind === 'log');
    expect(lines.map(({ id, text, role, agent }) => [id, text, role, agent])).toEqual([
      ['L1', 'starting', 'context', 'rex'],
      ['L2', 'ERROR tool inventory mismatch', 'hit', 'rex'],
      ['L3', 'push refused', 'context', 'cleo'],
    ]);
    expect(lines[1]?.at).toBe('2026-01-08T16:04:16.000000000Z');
  });

  it('takes 20 lines around a hit of the same stream', async () => {
    const all = Array.from({ length: 101 }, (_, i) => anEntry(i, `line ${i}`));
    const pack = await build(gathered(all, [all[50] as AttributedEntry]));
    const lines = pack.pieces.filter(({ kind }) => kind === 'log').map(({ text }) => text);
    expect(lines).toEqual(Array.from({ length: 41 }, (_, i) => `line ${30 + i}`));
  });

  it('takes the start event of the pod however far away, and trouble of other agents before their chatter', async () => {
    const init = anEntry(0, '{"type":"system","subtype":"init","tools":["docs_lookup"]}');
    const chatter = Array.from({ length: 60 }, (_, i) => anEntry(30 + i / 10, `working ${i}`));
    const others = Array.from({ length: 60 }, (_, i) => anEntry(40 + i / 10, `cleo ${i}`, CLEO));
    const hit = anEntry(50, 'ERROR mismatch');
    const trouble = anEntry(100, 'fatal: tool docs_lookup not found', CLEO);
    const pack = await build(gathered([init, ...chatter, ...others, hit, trouble], [hit]));
    const texts = pack.pieces.map(({ text }) => text);
    expect(texts).toContain(init.entry.line);
    expect(texts).toContain(trouble.entry.line);
    expect(pack.pieces.filter(({ pod }) => pod === CLEO)).toHaveLength(20);
  });

  it('shows the declared configuration that bears on the finding', async () => {
    const hit = anEntry(5, 'mismatch');
    const agents = { rex: anAgent(), cleo: anAgent({ tools: { remote: ['web_search'], localServers: {} } }) };
    const pack = await build(gathered([hit], [hit], { session: aSession({ agents }) }));
    expect(pack.pieces.filter(({ role }) => role === 'declared').map(({ id, text }) => `${id} ${text}`)).toEqual([
      'C1 agents.rex.tools = {"remote":["docs_lookup","github_create_branch"],"localServers":{"filesystem":{"enabled":true,"tools":["read_file","write_file"]}}}',
      'C2 agents.rex = {"githubApp":"Acme-Rex","cli":"claude","model":"some-model"}',
      'C3 agents.cleo.tools = {"remote":["web_search"],"localServers":{}}',
    ]);
  });

  it('shows the tasks for failures of the instructions', async () => {
    const hit = anEntry(5, 'prompt is empty');
    const evidence = gathered([hit], [hit]);
    const pack = await build({ ...evidence, finding: { ...evidence.finding, category: 'lifecycle', code: null } });
    expect(pack.pieces.map(({ text }) => text)).toContain('tasks = [{"id":"7","title":"Task 7","agentHint":null}]');
  });

  it.each([
    [
      'a line of the failure is gone',
      (hit: AttributedEntry) => gathered([hit], [hit, anEntry(7, 'gone')]),
      '1 of 2 log lines of the failure were not found',
    ],
    [
      'the session is gone',
      (hit: AttributedEntry) => gathered([hit], [hit], { session: null }),
      'The record of the session is gone',
    ],
    [
      'the agent is not declared',
      (hit: AttributedEntry) => gathered([hit], [hit], { session: aSession({ agents: {} }) }),
      'The session declares no agent rex',
    ],
    [
      'a source did not answer',
      (hit: AttributedEntry) => gathered([hit], [hit], { gaps: ['Loki is down.'] }),
      'Loki is down.',
    ],
  ])('says so when %s', async (_, evidence, sentence) => {
    const pack = await build(evidence(anEntry(5, 'mismatch')));
    expect(pack.gaps).toEqual([expect.stringContaining(sentence)]);
  });

  it('redacts every text, also what spans lines of a stream between which others speak', async () => {
    const first = anEntry(5, `pushing with ${TOKEN.slice(0, 20)}`);
    const second = anEntry(5.2, TOKEN.slice(20));
    const evidence = gathered([first, anEntry(5.1, 'hello', CLEO), second], [first], {
      gaps: [`Loki answered: bad token ${TOKEN}`],
      session: aSession({ agents: { rex: anAgent({ model: TOKEN }) } }),
    });
    const identity = { tool: TOKEN };
    const pack = await build({
      ...evidence,
      finding: { ...evidence.finding, identity, summary: `tool ${TOKEN} is missing` },
    });
    const said = JSON.stringify(pack, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
    expect(said).not.toContain(TOKEN.slice(4, 14));
    expect(said).not.toContain(TOKEN.slice(24, 34));
    expect(pack.pieces.map(({ text }) => text)).toContain('hello');
  });

  it('shows no part of a secret that another line, source or pod gives away', async () => {
    const value = 'x7Kq2mW9Zt41pLr8';
    const lines = [
      anEntry(1, 'the rest was Zt41pLr8'),
      anEntry(2, 'started', CLEO),
      anEntry(3, 'cleo has x7Kq2mW9Z', CLEO),
      anEntry(4, 'failed'),
      anEntry(5, `API_TOKEN=${value}`),
    ];
    const evidence = gathered(lines, lines.slice(3, 4), { gaps: ['GitHub refused Kq2mW9Zt41.'] });
    const finding = { ...evidence.finding, summary: 'refused with 2mW9Zt41pL' };
    const other = { kind: 'kubernetes', role: 'context', at: null, agent: null, pod: REX, distance: 1 } as const;
    const others = [{ ...other, text: `Event: x7Kq2mW9Zt… by ${REX}` }];
    const pack = await buildEvidencePack({ ...evidence, finding, others }, redactor);
    expect(
      leaks(
        JSON.stringify(pack, (_, one: unknown) => (typeof one === 'bigint' ? null : one)),
        value,
      ),
    ).toBe(false);
    expect(pack.finding.summary).toBe('refused with [redacted:fragment]');
    expect(pack.pieces.find(({ kind }) => kind === 'kubernetes')?.text).toContain(`by ${REX}`);
  });

  it('cuts long texts around what the finding names', async () => {
    const names = Array.from({ length: 400 }, (_, i) => `tool_number_${i}`);
    const line = JSON.stringify({ subtype: 'init', tools: [...names, 'github_create_branch'] });
    const hit = anEntry(5, `\x1b[31m${line}\x1b[0m\nsecond`);
    const pack = await build(gathered([hit], [hit]));
    const text = pack.pieces[0]?.text ?? '';
    expect(text.length).toBeLessThanOrEqual(2000);
    expect(text).toMatch(/^\{"subtype":"init".* … \d+ characters left out … .*"github_create_branch"\]/);
  });

  it('gives nothing when redaction fails', async () => {
    const failing = createRedactor({
      rules: [{ kind: 'broken', shape: 'token', find: () => Promise.reject(new Error('no')) }],
    });
    const hit = anEntry(5, 'mismatch');
    await expect(buildEvidencePack(gathered([hit], [hit]), failing)).rejects.toBeInstanceOf(GuardError);
  });

  it('stays within 64 KB, drops the furthest context first and never a hit', async () => {
    const noise = (length: number): fc.Arbitrary<string> =>
      fc.string({
        unit: fc.integer({ min: 0x4e00, max: 0x9fff }).map((code) => String.fromCharCode(code)),
        minLength: length,
        maxLength: length,
      });
    const line = fc.tuple(fc.integer({ min: 0, max: 60_000 }), noise(1500), fc.boolean());
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 60, maxLength: 90 }),
        fc.integer({ min: 1, max: 51 }),
        async (lines, hitCount) => {
          const entries = lines.map(([ms, text, isOther], i) =>
            anEntry(ms / 1000, `${i} ${text}`, isOther && i >= hitCount ? CLEO : REX),
          );
          const pack = await build(gathered(entries, entries.slice(0, hitCount)));
          expect(encodePack(pack).length).toBeLessThanOrEqual(MAX_PACK_BYTES);
          expect(pack.pieces.filter(({ role }) => role === 'hit')).toHaveLength(hitCount);
          expect(
            pack.pieces.every(({ text }) => text.length <= 2000 && !text.includes('\n') && !text.includes('\x1b')),
          ).toBe(true);
          expect(pack.gaps.join()).toMatch(/\d+ pieces? of evidence (?:was|were) left out/);
        },
      ),
      { numRuns: 8 },
    );
  });
});

describe('encodePack', () => {
  it('comes back as it was', () => {
    const ns = fc.bigInt({ min: 0n, max: 2n ** 63n });
    fc.assert(
      fc.property(
        fc.array(ns, { minLength: 3, maxLength: 9 }),
        fc.string({ unit: 'grapheme' }),
        ([firstNs = 0n, ...rest], text) => {
          const also = rest.map((at) => ({ ns: at, pod: REX, container: null, hash: text }));
          const finding = aFinding({ firstNs, lastNs: firstNs + SECOND, also, identity: { tool: text } });
          const piece = { id: 'L1', kind: 'log', role: 'hit', text, at: null, agent: null, pod: REX } as const;
          const { incidentId, playId, repository, namespace, occurrences, gatheredAt } = gathered([], []);
          const pack = {
            incidentId,
            playId,
            repository,
            namespace,
            occurrences,
            gatheredAt,
            finding,
            pieces: [piece],
            gaps: [text],
          };
          expect(decodePack(encodePack(pack))).toEqual(pack);
        },
      ),
    );
  });

  it.each([
    ['no gzip', new Uint8Array([1, 2, 3])],
    ['nothing', new Uint8Array()],
  ])('is not read from %s', (_, bytes) => expect(() => decodePack(bytes)).toThrow());
});

describe('redactFinding', () => {
  it('cleans summary and identity and leaves what identifies', async () => {
    const finding = aFinding({
      identity: { tool: `x\n${TOKEN}`, key: 'ANTHROPIC_API_KEY' },
      summary: `\x1b[31mpush with ${TOKEN}\x1b[0m failed`,
    });
    expect(await redactFinding(finding, redactor)).toEqual({
      ...finding,
      identity: { tool: 'x ⏎ [redacted:github-token]', key: 'ANTHROPIC_API_KEY' },
      summary: 'push with [redacted:github-token] failed',
    });
  });
});
