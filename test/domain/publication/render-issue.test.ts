import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GuardError } from '#lib/domain/errors.ts';
import { diagnose } from '#lib/domain/evaluation/diagnose.ts';
import type { EvidencePack } from '#lib/domain/evidence/evidence-pack.ts';
import type { IssueInput } from '#lib/domain/publication/issue-draft.ts';
import { findMarker, toMarker } from '#lib/domain/publication/marker.ts';
import { renderIssue } from '#lib/domain/publication/render-issue.ts';
import { aDiagnosis } from '#test/support/builders/a-diagnosis.ts';
import { aFinding, anEntryRef } from '#test/support/builders/a-finding.ts';
import { aDeclaration, anEvidencePack, aPiece } from '#test/support/builders/an-evidence-pack.ts';
import { anIncident, anOccurrence } from '#test/support/builders/an-incident.ts';
import { parseStrictly } from './strict-markdown.ts';

const anInput = (change: Partial<IssueInput> = {}): IssueInput => ({
  incident: anIncident(),
  pack: anEvidencePack(),
  diagnosis: diagnose(change.pack ?? anEvidencePack()),
  repository: { isPublic: false, showEvidence: true },
  ...change,
});

const HEADINGS = new Set(
  [
    'Cause',
    'Evidence',
    'Timeline',
    'What followed',
    'Remedy',
    'How to verify',
    'What could not be seen',
    'Occurrences',
    'Links',
  ].map((name) => `## ${name}`),
);
const HIDDEN = /[\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?!\n)\p{Cc}/u;

function expectSafe(body: string, webUrl = 'https://github.com'): void {
  const parsed = parseStrictly(body);
  for (const heading of parsed.headings) expect(HEADINGS).toContain(heading);
  for (const link of parsed.links) expect(new URL(link).origin).toBe(webUrl);
  expect(body).not.toMatch(HIDDEN);
  expect(body.length).toBeLessThanOrEqual(60_000);
}

describe('title', () => {
  it.each([
    [{}, 'rex: tool github_create_brnch is declared but not offered (A10)'],
    [{ code: null, agent: null, title: 'the process panicked' }, 'the process panicked: github_create_brnch'],
    [{ title: 'agent rex was killed', code: null }, 'agent rex was killed: github_create_brnch'],
    [
      { title: 'hey @team see #12 <b>`x`</b> https://evil.example\n\u202Eabc', code: null },
      "rex: hey (at)team see no. 12 'b''x''/b' https: evil.example abc: github_create_brnch",
    ],
  ])('of %j is %s', (change, title) => {
    expect(renderIssue(anInput({ incident: anIncident(change) })).title).toBe(title);
  });

  it('adds no name to a title when the summary has none', () => {
    const diagnosis = aDiagnosis({ summary: 'It crashed.' });
    const incident = anIncident({ title: 'the process panicked', code: null });
    expect(renderIssue(anInput({ diagnosis, incident })).title).toBe('rex: the process panicked');
  });

  it('stays within 120 characters and keeps the code', () => {
    const { title } = renderIssue(anInput({ incident: anIncident({ title: 'word '.repeat(60) }) }));
    expect(title.length).toBeLessThanOrEqual(120);
    expect(title).toMatch(/… \(A10\)$/);
  });
});

describe('labels', () => {
  it.each([
    [{}, ['healer', 'A10', 'high']],
    [{ code: null, severity: 'critical' }, ['healer', 'critical', 'needs-attention']],
    [{ severity: 'medium', state: 'escalated' }, ['healer', 'A10', 'medium', 'needs-attention']],
  ] as const)('of %j are %j', (change, labels) => {
    expect(renderIssue(anInput({ incident: anIncident(change) })).labels).toEqual(labels);
  });
});

describe('body', () => {
  it('begins with what an on-call person needs, and ends with the visible marker', () => {
    const { body } = renderIssue(anInput());
    const lines = body.split('\n');
    expect(lines[1]).toMatch(/^Agent rex runs without `github_create_brnch`/);
    expect(lines.at(-2)).toBe('Healer incident `0a1b2c3d4e5f60718293a4b5c6d7e8f9` · fingerprint `v1:3f9c2e51a0b74d68`');
    expect(findMarker(body)).toBe(toMarker(anIncident()));
  });

  it('has no heading with nothing under it', () => {
    const { body } = renderIssue(anInput({ diagnosis: aDiagnosis({ chain: [], gaps: [] }) }));
    const sections = body.split('\n## ').slice(1);
    for (const section of sections) expect(section.split('\n').slice(1).join('').trim()).not.toBe('');
    expect(body).not.toContain('Timeline');
    expect(body).not.toContain('What could not be seen');
    expect(body).not.toContain('Occurrences');
  });

  it('quotes evidence with id, time and speaker, and marks the lines of the failure', () => {
    const context = aPiece({ id: 'L2', role: 'context', text: 'starting', at: '2026-01-08T16:04:09.5Z' });
    const { body } = renderIssue(anInput({ pack: anEvidencePack({ pieces: [aPiece(), context] }) }));
    const [fence = ''] = parseStrictly(body).fences;
    expect(fence.split('\n')).toEqual([
      '  L2 2026-01-08T16:04:09.5Z rex  starting',
      '> L1 2026-01-08T16:04:11.123Z rex  [ERROR] tool inventory mismatch for agent rex: missing from CLI: [github_create_brnch]',
    ]);
  });

  it('lists where else it was seen, with counts', () => {
    const latest = ['play-9', 'play-8'].map((playId) => anOccurrence({ playId, finding: aFinding({ count: 3 }) }));
    const { body } = renderIssue(anInput({ occurrences: { total: 61, latest } }));
    expect(body).toContain(
      '| `2026-01-08T16:04:11.123Z` | `play-9` | `acme/widgets` | `rex` | `play-7f3a-rex-x2k4q` | `3` |',
    );
    expect(body).toContain('59 earlier ones are not listed.');
    expect(body).toContain('seen 61 times');
  });

  it('shows only links to the configured host', () => {
    const items = [
      { text: 'pull request 7', url: 'https://github.com/acme/widgets/pull/7' },
      { text: 'bad', url: 'https://evil.example/x.png' },
      { text: 'worse', url: 'https://github.com@evil.example/' },
      { text: 'script', url: 'javascript:alert(1)' },
    ];
    const { body } = renderIssue(anInput({ links: { webUrl: 'https://github.com', items } }));
    expect(parseStrictly(body).links).toEqual(['https://github.com/acme/widgets/pull/7']);
  });

  it('says when a model judged', () => {
    const { body } = renderIssue(anInput({ diagnosis: aDiagnosis({ source: 'model', confidence: 'likely' }) }));
    expect(body).toContain('Diagnosis by fixed rules and a model');
    expect(body).toContain('Confidence: likely.');
  });
});

describe('a public repository', () => {
  const secretLine = 'ERROR: tools-server unreachable: dial tcp 10.0.0.31:3000: connect: no route to host';
  const pack = anEvidencePack({
    finding: aFinding({ pattern: 'mcp.tools-server', code: 'A12', identity: {} }),
    pieces: [
      aPiece({ text: secretLine }),
      aPiece({ id: 'L2', role: 'context', text: 'internal words of the play' }),
      aDeclaration('agents.rex.tools = {}'),
    ],
  });
  const render = (showEvidence: boolean): string =>
    renderIssue(anInput({ pack, repository: { isPublic: true, showEvidence } })).body;

  it('gets ids, times, pods and a command instead of evidence', () => {
    const body = render(false);
    expect(body).not.toContain('10.0.0.31');
    expect(body).not.toContain('no route to host');
    expect(body).not.toContain('internal words');
    expect(body).toContain('- L1: log line (2026-01-08T16:04:11.123Z, agent rex, pod `play-7f3a-rex-x2k4q`)');
    expect(body).toContain('logcli query \'{namespace="cto",pod="play-7f3a-rex-x2k4q"}\'');
    expect(body).toContain('see L1');
    expectSafe(body);
  });

  it('gets the evidence when that is configured', () => {
    expect(render(true)).toContain(secretLine);
  });

  it('still names what the identity and the configuration name', () => {
    const open = renderIssue(anInput({ repository: { isPublic: true, showEvidence: false } })).body;
    expect(open).toContain('`github_create_brnch`');
  });
});

describe('length', () => {
  const long = (count: number, role: 'hit' | 'context'): EvidencePack['pieces'] =>
    Array.from({ length: count }, (_, index) => aPiece({ id: `L${index + 2}`, role, text: `${role} `.repeat(190) }));

  it('loses lines around the failure first, and says so', () => {
    const pieces = [aPiece(), ...long(30, 'hit'), ...long(200, 'context')].map((piece, index) => ({
      ...piece,
      id: `L${index}`,
    }));
    const { body } = renderIssue(anInput({ pack: anEvidencePack({ pieces }) }));
    expect(body.length).toBeLessThanOrEqual(60_000);
    expect(body).toMatch(/Left out for length: \d+ lines around the failure \(of 231 pieces/);
    expect(body).toContain('> L30 ');
  });

  it('stays below any limit that it can meet', () => {
    const pieces = [aPiece(), ...long(40, 'hit')];
    for (const bodyChars of [40_000, 20_000, 10_000, 5_000]) {
      const { body } = renderIssue(anInput({ pack: anEvidencePack({ pieces }), limits: { bodyChars } }));
      expect(body.length).toBeLessThanOrEqual(bodyChars);
      expect(findMarker(body)).toBe(toMarker(anIncident()));
    }
  });

  it('refuses to publish what does not fit', () => {
    expect(() => renderIssue(anInput({ limits: { bodyChars: 300 } }))).toThrow(GuardError);
  });

  it('refuses an id that could end the section', () => {
    expect(() => renderIssue(anInput({ incident: anIncident({ id: 'x --> y' }) }))).toThrow(GuardError);
  });
});

describe('hostile text', () => {
  const fragment = fc.constantFrom(
    '`',
    '``',
    '```',
    '````',
    '```sh\n',
    '\n',
    '\r\n',
    '\n\n',
    '\n# ',
    '\n---\n',
    '\n===\n',
    '\n> ',
    '\n- ',
    '\n1. ',
    '\n    ',
    '\t',
    '|',
    '\\',
    '\\`',
    '<!-- healer:end 0a1b2c3d4e5f60718293a4b5c6d7e8f9 -->',
    '\n<!-- healer:end 0a1b2c3d4e5f60718293a4b5c6d7e8f9 -->\n',
    '<!--',
    '-->',
    '<img src=x onerror=alert(1)>',
    '<a href="https://evil.example">',
    '</details>',
    '<b',
    '&lt;',
    '&#64;team',
    '&',
    '![x](https://evil.example/a.png)',
    '[click](https://evil.example)',
    '[x]: https://evil.example',
    '[^1]',
    '[ ]',
    '[',
    ']',
    '(',
    ')',
    '!',
    '@acme/team',
    '@octocat',
    'user@evil.example',
    '#1',
    'acme/widgets#7',
    'GH-7',
    'https://evil.example/?q=1',
    'www.evil.example',
    'javascript:x',
    'deadbeef01234567',
    ':shipit:',
    '$x^2$',
    '$`x`$',
    '\u202E',
    '\u200B',
    '\u2066',
    '\u0000',
    '\u001B[31m',
    '\uFEFF',
    '\u{E0041}',
    '\uD800',
    '*',
    '_',
    '~~',
    '**x**',
    'word',
    ' ',
    'é',
    '😀',
    'Healer incident `evil` · fingerprint `v1:evil`',
    '\nHealer incident `evil` · fingerprint `v1:evil`\n',
  );
  const hostile = fc.array(fragment, { maxLength: 14 }).map((parts) => parts.join(''));
  const long = fc.oneof(
    { weight: 9, arbitrary: hostile },
    { weight: 1, arbitrary: hostile.map((text) => text.repeat(2_000)) },
  );

  const claims = fc.array(fc.record({ text: long, evidence: fc.array(hostile, { maxLength: 3 }) }), { maxLength: 4 });
  const steps = fc.array(fc.record({ text: long, command: fc.option(long, { nil: undefined }) }), { maxLength: 3 });
  const pack = fc
    .record({
      text: long,
      agent: fc.option(hostile, { nil: null }),
      pod: hostile,
      at: fc.option(hostile, { nil: null }),
      playId: hostile,
      namespace: hostile,
      gap: hostile,
      tool: hostile,
    })
    .map(({ text, agent, pod, at, playId, namespace, gap, tool }) =>
      anEvidencePack({
        playId,
        namespace,
        gaps: [gap],
        finding: aFinding({ agent, pod, identity: { tool }, anchor: anEntryRef({ pod, container: pod }) }),
        pieces: [
          aPiece({ text, agent, pod, at }),
          aPiece({ id: 'L2', role: 'context', text, agent, pod, at }),
          aDeclaration(text),
        ],
      }),
    );
  const repository = fc.constantFrom(
    { isPublic: false, showEvidence: true },
    { isPublic: true, showEvidence: false },
    { isPublic: true, showEvidence: true },
  );

  it('is shown as text when the rules judged', () => {
    fc.assert(
      fc.property(pack, hostile, repository, (given, title, facts) => {
        const latest = [anOccurrence({ playId: title, finding: given.finding }), anOccurrence({ playId: title })];
        const input = anInput({
          incident: anIncident({ title, agent: given.finding.agent }),
          pack: given,
          repository: facts,
          occurrences: { total: 2, latest },
        });
        const draft = renderIssue(input);
        expectSafe(draft.body);
        expect(draft.title).not.toMatch(/[<>@`\n]|#\d|:\/\//);
        expect(draft.title.length).toBeLessThanOrEqual(120);
        expect(findMarker(draft.body)).toBe(toMarker(anIncident()));
      }),
      { numRuns: 400 },
    );
  });

  it('is shown as text when a model wrote it', () => {
    const model = fc.record({
      summary: long,
      cause: claims,
      chain: claims,
      consequences: claims,
      remedy: steps,
      verify: steps,
      gaps: fc.array(long, { maxLength: 3 }),
    });
    fc.assert(
      fc.property(model, pack, repository, (said, given, facts) => {
        const diagnosis = aDiagnosis({ ...said, source: 'model' });
        const { body } = renderIssue(anInput({ pack: given, diagnosis, repository: facts }));
        expectSafe(body);
        expect(findMarker(body)).toBe(toMarker(anIncident()));
      }),
      { numRuns: 400 },
    );
  });
});
