import { CLOUD_TOKENS } from './cloud-tokens.ts';
import { CODE_HOST_TOKENS } from './code-host-tokens.ts';
import type { RedactionRule, Sighting } from './rule.ts';
import { isGenerated } from './secret-value.ts';
import { SERVICE_TOKENS } from './service-tokens.ts';
import { OTHER } from './text-view.ts';

/** Prefixes of tokens that begin ordinary names as well. */
const ORDINARY = new Set(['api-', 'sdk-', 'access-', 'key-', 'key_', 'secret_', 'api_org_', 'npm_']);
const PREFIXES = [...CODE_HOST_TOKENS, ...CLOUD_TOKENS, ...SERVICE_TOKENS]
  .flatMap(([, hints]) => hints)
  .filter((hint) => /^[\w.-]{3,}[_.-]$/.test(hint) && !ORDINARY.has(hint));

/** Where a text was cut: an ellipsis (which reads as {@link OTHER} like all characters beyond Latin-1), or its end. */
const END = `(?:${OTHER}|\\.{3}|["'\`]?\\s*)$`;
const TOKEN = new RegExp(
  `(?<![A-Za-z0-9])(?:${PREFIXES.map((one) => one.replaceAll('.', '\\.')).join('|')})(?<secret>[\\w.-]{8,})${END}`,
  'd',
);
/** Credentials in an address whose host is missing: what follows the colon is no port. Images have their tag there. */
const ADDRESS = new RegExp(
  `(?<!docker|pullable|containerd|image|storage|oci)://[^\\s:/?#"'\`<>@\\0]{0,256}:(?<secret>[^\\s/"'\`<>@?#\\0${OTHER}]{8,})${END}`,
  'd',
);

/** A shorter rest of a text holds whatever is cut off at its end. */
const TAIL = 600;

/**
 * What would be a secret if the text did not end: messages of Kubernetes and bodies of GitHub are read up to a length, and
 * its end can fall into a token or before the host of an address.
 */
export const CUT_OFF_RULE: RedactionRule = { kind: 'cut-off', shape: 'lines', find: cutOff };

function* cutOff(text: string): Generator<Sighting> {
  for (let at = text.indexOf(OTHER); at >= 0; at = text.indexOf(OTHER, at + 1)) {
    if (/^[\w.-]{8}$/.test(text.slice(Math.max(0, at - 8), at))) yield* cutOffBefore(text, at + 1);
  }
  yield* cutOffBefore(text, text.length);
}

function* cutOffBefore(text: string, until: number): Generator<Sighting> {
  const offset = Math.max(0, until - TAIL);
  const tail = text.slice(offset, until);
  for (const pattern of [TOKEN, ADDRESS]) {
    const match = pattern.exec(tail);
    const [start, end] = match?.indices?.groups?.['secret'] ?? [0, 0];
    if (match !== null && isGenerated(tail.slice(start, end))) {
      yield { from: offset + match.index, start: offset + start, end: offset + end };
    }
  }
}
