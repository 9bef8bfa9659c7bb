import { describe, expect, it } from 'vitest';
import { CANARIES, FORMS } from '#test/domain/redaction/canaries.ts';
import { LOOK_ALIKES } from '#test/domain/redaction/look-alikes.ts';
import { findSecrets } from '#test/domain/redaction/secret-runs.ts';
import { canaryRuns, lookAlikeRuns } from '../../scripts/prove-canaries/plant.ts';

const kinds = CANARIES.map(({ kind }) => kind);
const kindsIn = (text: string): readonly string[] => kinds.filter((kind) => findSecrets(text).has(kind));

describe('the plays of the canary run', () => {
  const runs = canaryRuns();

  it('hold each kind once', () =>
    expect(runs.flatMap(({ canaries }) => canaries.map(({ kind }) => kind))).toEqual(kinds));

  it.each([
    ['the log', (run: (typeof runs)[number]) => run.play.lines.map(({ line }) => line)],
    ['the cluster', (run: (typeof runs)[number]) => run.play.cluster?.flatMap(({ objects }) => objects(0))],
    ['the configuration', (run: (typeof runs)[number]) => run.play.announcement],
    ['GitHub', (run: (typeof runs)[number]) => run.spoken],
  ])('have it in %s', (_, of) =>
    expect(new Set(runs.flatMap((run) => kindsIn(JSON.stringify(of(run)))))).toEqual(new Set(kinds)),
  );

  it('have it in each of its forms, line by line', () => {
    const lines = runs.map((run) => new Set(run.play.lines.map(({ line }) => line)));
    const missing = runs.flatMap(({ canaries }, i) =>
      canaries.flatMap((canary) =>
        Object.values(FORMS).flatMap((form) =>
          form(canary)
            .text.split('\n')
            .filter((line) => !lines[i]?.has(line)),
        ),
      ),
    );
    expect(missing).toEqual([]);
  });

  it('tell of failures that people are notified of, and of others', () =>
    expect(new Set(runs.map(({ play }) => play.expected?.severity))).toEqual(new Set(['critical', 'high'])));

  it('hold each look-alike once, and no secret beside them', () => {
    const plain = lookAlikeRuns();
    expect(plain.flatMap(({ lookAlikes }) => lookAlikes)).toEqual(LOOK_ALIKES);
    expect(kindsIn(JSON.stringify(plain.map(({ play }) => play.lines)))).toEqual([]);
  });
});
