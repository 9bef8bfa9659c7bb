import type { Diagnosis } from '../evaluation/diagnosis.ts';
import type { Incident } from '../incident/incident.ts';
import { toShortened, toVisibleLine } from './safe-text.ts';
import { quotedSpans } from './spans.ts';
import { toTitle } from './title.ts';

/** Slack cuts longer texts of a section. */
const MAX_TEXT = 3_000;

export interface Notification {
  readonly title: string;
  /** Slack's mrkdwn, at most 3,000 characters. */
  readonly text: string;
  readonly url: string | null;
}

/** The message that wakes somebody: what failed, what it means, the first steps. The link is the issue's own. */
export function renderNotification(incident: Incident, diagnosis: Diagnosis, url: string | null): Notification {
  const steps = diagnosis.remedy
    .slice(0, 3)
    .map(({ text }, index) => `${index + 1}. ${toMrkdwn(toShortened(text, 300))}`);
  const head = `*${incident.severity}* · ${incident.code ?? incident.category} · ${toMrkdwn(incident.target)}`;
  const text = [head, toMrkdwn(toShortened(diagnosis.summary, 1_000)), ...steps].join('\n');
  return { title: toMrkdwn(toTitle(incident, diagnosis.summary)), text: cutWhole(text), url };
}

/** Never cuts inside an escape such as `&amp;`. */
const cutWhole = (text: string): string =>
  text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT - 1).replace(/&[a-z]{0,4}$/, '')}…`;

/** Tokens that Slack or its like turn into links or calls. */
const ACTIVE = /[@]|:\/\/|\bmailto:|\w\.\w/;

/** Escapes what Slack reads as control (`&`, `<`, `>`), keeps code, and shows links and mentions as code. */
function toMrkdwn(sentence: string): string {
  const spans = quotedSpans(toVisibleLine(sentence));
  return spans
    .map(({ text, isCode }) =>
      isCode ? `\`${escaped(text)}\`` : text.replaceAll('`', "'").split(/( +)/).map(toToken).join(''),
    )
    .join('');
}

const toToken = (token: string): string =>
  ACTIVE.test(token) ? `\`${escaped(token)}\`` : escaped(token).replaceAll(/[*~]|^_+|_+$/g, '');

/** A mention inside code still calls in some Slack-like servers. */
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('@', '(at)');
