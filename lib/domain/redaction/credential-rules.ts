import type { RedactionRule, Sighting } from './rule.ts';
import { isGenerated, isStandIn } from './secret-value.ts';

/** The part of an address before its host. It begins at `://`, which neither part can hold: linear. */
const USER_INFO =
  /(?<=[a-z0-9+.-]):\/\/(?<user>[^\s:/?#"'`<>@\0]{0,512})(?<pair>:(?<secret>[^\s/"'`<>\0]{1,1024}))?@(?=[\w[%$({\0-])/dgi;

/** Credentials in addresses: databases, queues, HTTP, git. The host and a plain user name stay. */
export const URL_RULE: RedactionRule = { kind: 'url-credential', shape: 'token', hints: ['://'], find: urlCredentials };

function* urlCredentials(text: string): Generator<Sighting> {
  for (const match of text.matchAll(USER_INFO)) {
    const from = match.index;
    const { user = '', secret } = match.groups ?? {};
    const [userStart, userEnd] = match.indices?.groups?.['user'] ?? [0, 0];
    if (user.length >= 16 && isGenerated(user)) yield { from, start: userStart, end: userEnd };
    if (secret === undefined || isMask(secret)) continue;
    const [start, end] = match.indices?.groups?.['secret'] ?? [0, 0];
    yield { from, start, end };
  }
}

/** Forms in which programs take a user and a password side by side, each with literals of which one must occur. */
const PAIRS: readonly (readonly [hints: readonly string[], pattern: RegExp])[] = [
  // Go's MySQL data source name
  [['@tcp(', '@unix('], /(?<![\w.-])[\w.-]{1,64}:(?<secret>[^\s@/"'\0]{3,128})@(?:tcp|unix)\(/dg],
  // Oracle's thin driver
  [[':thin:'], /:thin:[\w.-]{1,64}\/(?<secret>[^\s@"'\0]{3,128})@/dg],
  // curl, wget
  [['-u', '-user'], /(?:\s-u|--user|--proxy-user)[ =]{0,2}["']?[\w.@+-]{1,64}:(?<secret>[^\s"'\0]{3,256})/dg],
  // .netrc
  [['login'], /\blogin[ \t]{1,4}\S{1,128}[ \t]{1,4}password[ \t]{1,4}(?<secret>\S{3,256})/dg],
  // SQL
  [["'"], /\b(?:identified[ \t]{1,4}by|password)[ \t]{1,4}'(?<secret>[^'\n\0]{3,256})'/dgi],
  [['sshpass'], /\bsshpass[ \t]{1,4}-p[ \t]{0,2}["']?(?<secret>[^\s"'\0]{3,256})/dg],
];

/** `user:password` outside addresses: data source names, command lines, netrc, SQL. */
export const PAIR_RULE: RedactionRule = { kind: 'password', shape: 'value', find: pairs };

function* pairs(text: string): Generator<Sighting> {
  for (const [hints, pattern] of PAIRS) {
    if (!hints.some((hint) => text.includes(hint))) continue;
    for (const match of text.matchAll(pattern)) {
      const [start, end] = match.indices?.groups?.['secret'] ?? [0, 0];
      if (!isStandIn(match.groups?.['secret'] ?? '')) yield { from: match.index, start, end };
    }
  }
}

/** In an address any word counts as a password; only masks and variables do not. */
const isMask = (value: string): boolean => /^(?:[*xX.•_-]+|\$\{?\w+\}?|\$\([^)]*\)?|\{\{.*|%\w+%|\0+)$/.test(value);
