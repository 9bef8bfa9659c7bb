import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linkCauses } from '#lib/domain/detection/causes.ts';
import { detect } from '#lib/domain/detection/detect.ts';
import type { Finding } from '#lib/domain/detection/finding.ts';
import { fromFindingJson, toFindingJson } from '#lib/domain/detection/finding-json.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { at, START } from './support.ts';

type Said = readonly [seconds: number, pod: string, line: string];

/** Findings of a play in which the pods say these lines. */
function findingsOf(...lines: readonly Said[]): readonly Finding[] {
  const { findings } = detect({
    entries: lines.map(([seconds, pod, line]) => ({ ns: at(seconds), line, labels: { pod, container: 'agent' } })),
    session: null,
    attribute: ({ labels }) => ({
      playId: 'play-9',
      agent: null,
      pod: labels['pod'] ?? '',
      container: 'agent',
      rule: 'pod-name',
    }),
    podStarts: new Map(lines.map(([, pod]) => [pod, START - 3_600_000_000_000n])),
    until: at(100_000),
    ended: { session: true },
  });
  return findings;
}

/** Who follows from whom, by pod. */
const chain = (findings: readonly Finding[]) =>
  findings.flatMap(({ pod, cause }) => (cause ? [`${pod} < ${cause.pod}`] : []));

const REX = 'play-9-rex-x2k4q';
const CLEO = 'play-9-cleo-m8s3d';
const TESS = 'play-9-tess-w7r2b';
const PANIC = "thread 'main' panicked at src/main.rs:4:2:";
const REFUSED = '  ⎿  remote: Permission to acme/app.git denied to bot[bot].';

describe('linkCauses', () => {
  it.each<[string, readonly Said[], readonly string[]]>([
    [
      'a service crashes, its host is missed',
      [
        [10, 'search-api-5f6d7c8b9-k2m4n', PANIC],
        [20, REX, 'Error: connect ECONNREFUSED http://search-api.cto.svc:8080/query'],
      ],
      [`${REX} < search-api-5f6d7c8b9-k2m4n`],
    ],
    [
      'an agent waits for another by name',
      [
        [10, REX, PANIC],
        [900, CLEO, 'no pull request of rex, ending without a review'],
      ],
      [`${CLEO} < ${REX}`],
    ],
    [
      'a refused push leaves nothing to review, and the reviewer’s own successor nothing to test',
      [
        [10, REX, REFUSED],
        [400, CLEO, '  ⎿  no pull requests found for branch "agent/task-2"'],
        [500, TESS, 'no pull request of cleo, ending without a test'],
      ],
      [`${CLEO} < ${REX}`, `${TESS} < ${REX}`],
    ],
    [
      'the order decides: what came before is no consequence',
      [
        [10, CLEO, 'no pull request of rex, ending without a review'],
        [900, REX, PANIC],
      ],
      [],
    ],
    [
      'two agents miss the same outside service: neither is the cause of the other',
      [
        [10, REX, 'Error: getaddrinfo EAI_AGAIN llm.example.com'],
        [
          15,
          CLEO,
          "fatal: unable to access 'https://git.example.com/a/b.git/': Could not resolve host: git.example.com",
        ],
      ],
      [],
    ],
    [
      'failures that merely happen in the same play',
      [
        [10, REX, PANIC],
        [15, CLEO, 'API Error: 401 Invalid API key'],
      ],
      [],
    ],
    [
      'a service that crashed hours ago has come back since',
      [
        [10, 'search-api-5f6d7c8b9-k2m4n', PANIC],
        [9_000, REX, 'Error: connect ECONNREFUSED http://search-api.cto.svc:8080/query'],
      ],
      [],
    ],
  ])('%s', (_, lines, expected) => {
    const findings = findingsOf(...lines);
    expect(findings).toHaveLength(lines.length);
    expect(chain(linkCauses(findings))).toEqual(expected);
  });

  it('finds a cause that an earlier look has stored, and keeps a cause that is known', () => {
    const [cause, consequence] = findingsOf([10, REX, PANIC], [900, CLEO, 'no pull request of rex, stopping']) as [
      Finding,
      Finding,
    ];
    const [linked] = linkCauses([consequence], [cause]);
    expect(linked?.cause).toMatchObject({ findingId: cause.id, fingerprint: cause.fingerprint, pod: REX });
    expect(linkCauses([linked as Finding], [])).toEqual([linked]);
    expect(linkCauses([consequence], [])).toEqual([consequence]);
  });

  it('ties hold hashes only, and survive storage with the cause', () => {
    const [, linked] = linkCauses(findingsOf([10, REX, PANIC], [900, CLEO, 'no pull request of rex, token=abc']));
    expect(JSON.stringify(linked?.ties)).not.toMatch(/rex|cleo|token|abc\b/);
    expect(fromFindingJson(JSON.parse(JSON.stringify(toFindingJson(linked as Finding))) as never)).toEqual(linked);
  });

  it('never makes a circle, links within a pod or to a later failure', () => {
    const tie = fc.constantFrom('service:a', 'service:b', 'work:c', 'run:d');
    const ties = fc.record({ provides: fc.array(tie, { maxLength: 3 }), needs: fc.array(tie, { maxLength: 3 }) });
    const one = fc.record({ seconds: fc.integer({ min: 0, max: 50 }), pod: fc.constantFrom('p', 'q', 'r'), ties });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 12 }), (all) => {
        const findings = all.map(({ seconds, pod, ties: own }, i) =>
          aFinding({ id: `f${i}`, pod, ties: own, firstNs: at(seconds), lastNs: at(seconds) }),
        );
        const linked = linkCauses(findings);
        expect(linkCauses(linked)).toEqual(linked);
        for (const { cause, firstNs } of linked) {
          const root = linked.find(({ id }) => id === cause?.findingId);
          expect(root?.cause).toBeUndefined();
          expect(root === undefined || root.firstNs <= firstNs).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
  });
});
