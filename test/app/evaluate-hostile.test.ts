import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Analyst, analyseEvidence } from '#lib/app/analyse-evidence.ts';
import type { Model } from '#lib/app/ports.ts';
import { diagnose } from '#lib/domain/evaluation/diagnose.ts';
import type { Diagnosis } from '#lib/domain/evaluation/diagnosis.ts';
import type { AnalysisAnswer } from '#lib/domain/evaluation/prompt/analysis-answer.ts';
import { verifyClaims } from '#lib/domain/evaluation/verify-claims.ts';
import { findMarker, toMarker } from '#lib/domain/publication/marker.ts';
import { renderIssue } from '#lib/domain/publication/render-issue.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { aLimit } from '#test/contracts/model/peer.ts';
import { parseStrictly } from '#test/domain/publication/strict-markdown.ts';
import { CANARIES } from '#test/domain/redaction/canaries.ts';
import { anEvidencePack, aPiece } from '#test/support/builders/an-evidence-pack.ts';
import { anIncident } from '#test/support/builders/an-incident.ts';
import { aHostileAnswer } from '#test/support/injections/hostile-answers.ts';

const RUNS = 1_000;
const pack = anEvidencePack({ pieces: [aPiece(), aPiece({ id: 'L2', role: 'context', text: 'starting agent rex' })] });
const rules = verifyClaims(diagnose(pack), pack);
const incident = anIncident();
const redactor = createRedactor();
const plainIssue = renderIssue({
  incident,
  pack,
  diagnosis: rules,
  repository: { isPublic: false, showEvidence: true },
});

/** A model that says what it is told to, in the shape that was asked for. */
const saying = (answer: AnalysisAnswer): Model => ({
  name: 'hostile',
  prices: { inputUsd: 1, outputUsd: 1 },
  ask: async (request) => {
    const text = JSON.stringify(answer);
    const value = request.answer.schema.parse(JSON.parse(text));
    return { value, text, usage: { inputTokens: 1, outputTokens: 1, isReported: true }, model: 'hostile' };
  },
});

const faults: unknown[] = [];
const anAnalyst = (answer: AnalysisAnswer): Analyst => ({
  model: saying(answer),
  budgets: { reserve: async () => ({ granted: true }), settle: async () => {} },
  clock: { now: () => 0 },
  ids: { uuid: () => 'one' },
  redactor: async () => redactor,
  onModelCall: () => {},
  onSettleFault: () => {},
  onFault: (error) => void faults.push(error),
});

const HIDDEN = /\p{Cc}|[\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]|[\u{E0000}-\u{E0FFF}]/u;

function expectTame(diagnosis: Diagnosis): void {
  const texts = [
    diagnosis.summary,
    ...[...diagnosis.cause, ...diagnosis.chain, ...diagnosis.consequences].map((claim) => claim.text),
    ...[...diagnosis.remedy, ...diagnosis.verify].map((step) => step.text),
    ...diagnosis.gaps,
  ];
  for (const text of texts) {
    expect(text).not.toMatch(HIDDEN);
    expect(text).not.toMatch(/!\[|:\/\/|\bwww\.|@|<!--|<[a-z/!]|javascript:/i);
    expect(text.length).toBeLessThan(2_100);
  }
  const all = texts.join('\n');
  for (const { kind, secret } of CANARIES) if (all.includes(secret)) expect.unreachable(`holds a secret: ${kind}`);
}

/** The rules' diagnosis is in it, whole, whatever the model said. */
function expectRulesKept(diagnosis: Diagnosis): void {
  for (const key of ['cause', 'remedy', 'verify'] as const) {
    const texts = diagnosis[key].map((item) => item.text);
    expect(texts).toEqual(expect.arrayContaining(rules[key].map((item) => item.text)));
  }
  expect(diagnosis.gaps).toEqual(expect.arrayContaining([...rules.gaps]));
  expect([...diagnosis.remedy, ...diagnosis.verify].filter((step) => step.command !== undefined)).toEqual(
    [...rules.remedy, ...rules.verify].filter((step) => step.command !== undefined),
  );
  const ids = new Set(pack.pieces.map((piece) => piece.id));
  const cited = [...diagnosis.cause, ...diagnosis.chain].flatMap((claim) => claim.evidence);
  expect(cited.filter((id) => !ids.has(id))).toEqual([]);
}

async function expectPublishable(diagnosis: Diagnosis, isPublic: boolean): Promise<void> {
  const { title, body } = renderIssue({ incident, pack, diagnosis, repository: { isPublic, showEvidence: !isPublic } });
  const { links, headings } = parseStrictly(body);
  expect(links).toEqual([]);
  // A chain of the model's own has a heading that the rules' diagnosis does not need here.
  const known = [...parseStrictly(plainIssue.body).headings, '## Timeline'];
  expect(headings.filter((heading) => !known.includes(heading))).toEqual([]);
  expect(`${title}${body.replaceAll('\n', '')}`).not.toMatch(HIDDEN);
  expect(body.length).toBeLessThanOrEqual(60_000);
  expect(findMarker(body)).toBe(toMarker(incident));
  for (const { kind, secret } of CANARIES) if (body.includes(secret)) expect.unreachable(`publishes a secret: ${kind}`);
}

describe(`${RUNS} hostile answers`, () => {
  it('leave the rules whole, and what is stored and shown harmless', { timeout: 240_000 }, async () => {
    const seen = { proved: 0, unproved: 0, failed: 0 };
    const check = async (answer: AnalysisAnswer) => {
      const about = { incident, pack, rules, stored: undefined };
      const diagnosis = await analyseEvidence(anAnalyst(answer), about, aLimit());
      seen[diagnosis.analysis?.status as keyof typeof seen] += 1;
      expectTame(diagnosis);
      expectRulesKept(diagnosis);
      await expectPublishable(diagnosis, false);
      await expectPublishable(diagnosis, true);
    };
    await fc.assert(fc.asyncProperty(aHostileAnswer, check), { numRuns: RUNS });
    // The suite would prove nothing if every answer were thrown away.
    expect(seen.proved).toBeGreaterThan(RUNS / 20);
    expect(seen.unproved).toBeGreaterThan(RUNS / 20);
    expect(faults).toEqual([]);
  });
});
