import type { Claim, Diagnosis, Step } from '../evaluation/diagnosis.ts';
import { toIso, toMillis } from '../time.ts';
import type { IssueInput } from './issue-draft.ts';
import { type Depth, toCited } from './layout.ts';
import { toFence, toInlineCode, toMarkdown, toShortened } from './safe-text.ts';

/** One line of facts under the summary: severity, code, who, where, since when, how often. */
export function renderFacts({ incident, pack, occurrences }: IssueInput, depth: Depth): string {
  const plays = pack.occurrences.plays.length;
  const total = Math.max(occurrences?.total ?? pack.occurrences.count, 1);
  const since = toIso(incident.firstSeen);
  const times =
    total === 1 ? `seen once, ${since}` : `seen ${total} times${plays > 1 ? ` in ${plays} plays` : ''} since ${since}`;
  const parts = [
    `**${incident.severity}**`,
    incident.code === null ? incident.category : `${incident.code} (${incident.category})`,
    incident.agent === null ? '' : `agent ${toMarkdown(incident.agent, 80)}`,
    `play ${toInlineCode(toShortened(pack.playId, depth.prose))} of ${toInlineCode(toShortened(pack.repository, depth.prose))}`,
    times,
  ];
  return parts.filter((part) => part !== '').join(' · ');
}

export function renderClaims(heading: string, claims: readonly Claim[], depth: Depth): readonly string[] {
  if (claims.length === 0) return [];
  const lines = claims.slice(0, depth.items).map(
    (claim) =>
      `- ${toCited(
        toMarkdown(claim.text, depth.prose),
        claim.evidence.slice(0, 10).map((id) => toMarkdown(id, 20)),
      )}`,
  );
  return [`## ${heading}`, lines.join('\n')];
}

/** Numbered steps; a command stands in a fence of its own under its step. */
export function renderSteps(heading: string, steps: readonly Step[], depth: Depth): readonly string[] {
  if (steps.length === 0) return [];
  const rendered = steps.slice(0, depth.items).map(({ text, command }, index) => {
    const step = `${index + 1}. ${toMarkdown(text, depth.prose)}`;
    return command === undefined ? step : `${step}\n\n${indent(toFence([toShortened(command, depth.prose)], 'sh'))}`;
  });
  return [`## ${heading}`, rendered.join('\n\n')];
}

/** Under a numbered item; four spaces hold for numbers up to 99. */
const indent = (block: string): string =>
  block
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');

export function renderGaps(gaps: readonly string[], depth: Depth): readonly string[] {
  const sentences = [...new Set(gaps)].slice(0, depth.items);
  return sentences.length === 0
    ? []
    : ['## What could not be seen', sentences.map((gap) => `- ${toMarkdown(gap, depth.prose)}`).join('\n')];
}

/** Where else it was seen; a single occurrence is told by the facts above. */
export function renderOccurrences({ occurrences }: IssueInput, depth: Depth): readonly string[] {
  const { latest, total } = occurrences ?? { latest: [], total: 0 };
  if (latest.length < 2) return [];
  const shown = latest.slice(0, depth.items);
  const rows = shown.map(({ playId, repository, finding }) => {
    const cells = [
      toIso(toMillis(finding.firstNs)),
      playId,
      repository,
      finding.agent ?? '',
      finding.pod,
      String(finding.count),
    ];
    return `| ${cells.map(toCell).join(' | ')} |`;
  });
  const rest = total - shown.length;
  return [
    '## Occurrences',
    ['| first line | play | repository | agent | pod | lines |', '| --- | --- | --- | --- | --- | --- |', ...rows].join(
      '\n',
    ),
    ...(rest > 0 ? [`${rest} earlier ones are not listed.`] : []),
  ];
}

/** A vertical bar ends a cell even inside code, so it is left out. */
const toCell = (text: string): string => (text === '' ? '' : toInlineCode(toShortened(text, 253).replaceAll('|', '')));

/** Links to GitHub's own host that Healer built; everything else is dropped. */
export function renderLinks(links: IssueInput['links']): readonly string[] {
  const { webUrl, items } = links ?? { webUrl: '', items: [] };
  const lines = items
    .filter(({ url }) => isOwn(url, webUrl))
    .map(({ text, url }) => `- [${toMarkdown(text, 120).replaceAll('`', '')}](${new URL(url).href})`);
  return lines.length === 0 ? [] : ['## Links', lines.join('\n')];
}

function isOwn(url: string, webUrl: string): boolean {
  if (!URL.canParse(url) || !URL.canParse(webUrl)) return false;
  const [own, base] = [new URL(url), new URL(webUrl)];
  return own.origin === base.origin && own.username === '' && own.password === '' && !/[()<>\s]/.test(own.href);
}

/** Who judged, and how sure. */
export function renderSource({ source, confidence }: Diagnosis): string {
  const judge =
    source === 'rules'
      ? 'Diagnosis by fixed rules, without a model.'
      : 'Diagnosis by fixed rules and a model; what it said without proof in the evidence was deleted.';
  return `${judge} Confidence: ${confidence}. The ids in brackets name the pieces of evidence.`;
}
