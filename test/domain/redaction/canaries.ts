/**
 * Invented secrets of many kinds, put together at run time so that no scanner finds any in this repository. `text` is a
 * line in which the secret occurs, `secret` the part of it that must never be seen.
 */
export interface Canary {
  readonly kind: string;
  readonly text: string;
  readonly secret: string;
}

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const DIGITS = '0123456789';
const HEX = `${DIGITS}abcdef`;
const UPPER = LOWER.toUpperCase();
const ALNUM = `${LOWER}${UPPER}${DIGITS}`;

/** Deterministic letters of an alphabet: the same seed gives the same secret (a linear congruential generator). */
function letters(seed: number, length: number, alphabet = ALNUM): string {
  let state = seed * 2_654_435_761 + 12_345;
  return Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return alphabet[Math.floor((state / 2 ** 32) * alphabet.length)];
  }).join('');
}

const base64Url = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const base64 = (value: string): string => Buffer.from(value).toString('base64');

/** A middle dot breaks tell-tale beginnings in this file; it is taken out here. */
const whole = (text: string): string => text.replaceAll('·', '');

/** A secret within a sentence. */
const token = (kind: string, secret: string, frame = 'request failed with {} for agent rex'): Canary => ({
  kind,
  text: whole(frame).replace('{}', () => whole(secret)),
  secret: whole(secret),
});

const uuid = (seed: number): string => [8, 4, 4, 4, 12].map((length, i) => letters(seed + i, length, HEX)).join('-');
const jwt = (seed: number): string =>
  `${base64Url({ alg: 'RS256', kid: letters(seed, 8) })}.${base64Url({ iss: 'kubernetes/serviceaccount', sub: 'system:serviceaccount:cto:agent', jti: letters(seed + 1, 12) })}.${letters(seed + 2, 86)}`;
const keyBody = (seed: number, lines = 6): readonly string[] => [
  `MI${letters(seed, 62)}`,
  ...Array.from({ length: lines - 2 }, (_, i) => letters(seed + i + 1, 64)),
  `${letters(seed + 90, 30)}==`,
];

/** A private key in PEM form, with its marker words apart in the source. */
export const aPrivateKey = (
  label: string,
  seed: number,
): { readonly lines: readonly string[]; readonly body: readonly string[] } => {
  const body = keyBody(seed);
  return { body, lines: [`-----BEGIN ${label} KEY-----`, ...body, `-----END ${label} KEY-----`] };
};

const AT = '@';

export const CANARIES: readonly Canary[] = [
  token('aws access key id', `AKI·A${letters(1, 16, `${UPPER}234567`)}`),
  token('aws temporary key id', `ASI·A${letters(2, 16, `${UPPER}234567`)}`),
  token('aws secret key', letters(3, 40, `${ALNUM}/+`), 'AWS_SECRET_ACCESS_KEY={}'),
  token('aws session token', letters(4, 300, `${ALNUM}/+`), 'export AWS_SESSION_TOKEN={}'),
  token('github classic', `gh·p_${letters(5, 36)}`),
  token('github oauth', `gh·o_${letters(6, 36)}`),
  token('github installation', `gh·s_${letters(7, 36)}`, 'remote: using {} to push'),
  token('github installation jwt', `gh·s_123456_${jwt(8)}`, 'git credential fill gave {}'),
  token('github fine grained', `github_·pat_${letters(9, 22)}_${letters(10, 59)}`),
  token('gitlab', `gl·pat-${letters(11, 20)}`),
  token('npm', `np·m_${letters(12, 36)}`, '//registry.npmjs.org/:_authToken={}'),
  token('pypi', `py·pi-AgEIcHlwaS5vcmc${letters(13, 120)}`),
  token('docker hub', `dckr_·pat_${letters(14, 27)}`),
  token('slack bot', `xox·b-${letters(15, 12, DIGITS)}-${letters(16, 12, DIGITS)}-${letters(17, 24)}`),
  token('slack app', `xap·p-1-${letters(18, 11, UPPER + DIGITS)}-${letters(19, 13, DIGITS)}-${letters(20, 64, HEX)}`),
  token(
    'slack webhook',
    `T${letters(21, 8, UPPER)}/B${letters(22, 8, UPPER)}/${letters(23, 24)}`,
    'POST https://hooks.slack.com/services/{} 404',
  ),
  token('discord webhook', letters(24, 68), `POST https://discord.com/api/webhooks/${letters(25, 18, DIGITS)}/{} 429`),
  token(
    'teams webhook',
    `webhookb2/${uuid(26)}@${uuid(32)}/IncomingWebhook/${letters(38, 32, HEX)}/${uuid(39)}`,
    'POST https://acme.webhook.office.com/{} failed',
  ),
  token(
    'telegram bot',
    `${letters(45, 10, '123456789')}:A·A${letters(46, 33)}`,
    'GET https://api.telegram.org/bot{}/getMe',
  ),
  token('stripe', `sk_·live_${letters(47, 32)}`),
  token('sendgrid', `S·G.${letters(48, 22)}.${letters(49, 43)}`),
  token('twilio api key', `S·K${letters(50, 32, HEX)}`),
  token('twilio auth token', letters(51, 32, HEX), 'TWILIO_AUTH_TOKEN={}'),
  token('linear', `lin_·api_${letters(52, 40)}`),
  token('openai project', `sk-·proj-${letters(53, 120)}`, 'Incorrect API key provided: {}.'),
  token('openai legacy', `sk-${letters(54, 20)}T3Blbk·FJ${letters(55, 20)}`),
  token('anthropic', `sk-·ant-api03-${letters(56, 93)}AA`),
  token('openrouter', `sk-·or-v1-${letters(57, 64, HEX)}`),
  token('groq', `gs·k_${letters(58, 52)}`),
  token('huggingface', `h·f_${letters(59, 34)}`),
  token('google api key', `AIz·a${letters(60, 35)}`, 'https://maps.example.com/json?key={}'),
  token('google oauth', `ya2·9.${letters(61, 120)}`),
  token('google client secret', `GOCS·PX-${letters(62, 28)}`),
  token(
    'azure sas',
    encodeURIComponent(`${letters(63, 43)}=`),
    'https://acme.blob.core.windows.net/logs?sv=2024-11-04&se=2026-01-01&sr=c&sig={}',
  ),
  token(
    'azure storage',
    `${letters(64, 86)}==`,
    'DefaultEndpointsProtocol=https;AccountName=acme;AccountKey={};EndpointSuffix=core.windows.net',
  ),
  token(
    'azure service bus',
    `${letters(65, 43)}=`,
    'Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=root;SharedAccessKey={}',
  ),
  token('azure client secret', `${letters(66, 3)}8·Q~${letters(67, 34)}`),
  token('cloudflare', `cfu·t_${letters(68, 40)}${letters(69, 8, HEX)}`),
  token('cloudflare by name', letters(70, 40), 'CLOUDFLARE_API_TOKEN={}'),
  token('datadog', letters(71, 32, HEX), 'DD_API_KEY: {}'),
  token('grafana service account', `gls·a_${letters(72, 32)}_${letters(73, 8, HEX)}`),
  token('grafana cloud', `gl·c_${letters(74, 80)}`),
  token('vault', `hv·s.${letters(75, 95)}`),
  token('vault legacy', `s·.aB3${letters(76, 21)}`, 'VAULT login with {} was refused'),
  token('digitalocean', `do·p_v1_${letters(77, 64, HEX)}`),
  token('databricks', `dap·i${letters(78, 32, HEX)}`),
  token('shopify', `shp·at_${letters(79, 32, HEX)}`),
  token('tailscale', `ts·key-auth-${letters(80, 12)}-${letters(81, 32)}`),
  token('notion', `nt·n_${letters(82, 11, DIGITS)}${letters(83, 35)}`),
  token('terraform cloud', `${letters(84, 14)}.atlas·v1.${letters(85, 67)}`),
  token('new relic', `NRA·K-${letters(86, 27, UPPER + DIGITS)}`),
  token('heroku by name', uuid(87), 'HEROKU_API_KEY={}'),
  token('jwt', jwt(93)),
  token('kubernetes service account', jwt(96), '{"kind":"Secret","data":{"token":"{}"}}'),
  token('bearer header', letters(99, 40), 'curl -H "Authorization: Bearer {}" https://api.example.com'),
  token('basic header', base64(`admin:${letters(100, 16)}`), 'authorization: Basic {}'),
  token('token header', letters(101, 40, HEX), "'Authorization': 'token {}'"),
  token('x-api-key', letters(102, 40), 'x-api-key: {}'),
  token('cookie', letters(103, 40), 'Cookie: theme=dark; session={}'),
  token('password in environment', `pW7${letters(104, 17)}`, 'POSTGRES_PASSWORD={}'),
  token('password in JSON', `pW7${letters(105, 17)}`, '{"user":"app","password":"{}","port":5432}'),
  token('password in YAML', `pW7${letters(106, 17)}`, '  password: {}'),
  token('passwd', `pW7${letters(107, 17)}`, 'login with passwd: {} was refused'),
  token('secret key', letters(108, 50), 'SECRET_KEY = "{}"'),
  token('client secret', letters(109, 40), 'grant_type=client_credentials&client_secret={}&scope=read'),
  token('url query token', letters(110, 40), 'GET https://api.example.com/v1/items?access_token={}&page=2 401'),
  token('command line flag', letters(111, 30), 'helm upgrade --password {} --wait'),
  token('curl user', `pW7${letters(112, 17)}`, 'curl -u deploy:{} https://repo.example.com'),
  token('postgres', `pW7${letters(113, 17)}`, `postgres://app:{}${AT}db.cto.svc:5432/plays`),
  token('mysql', `pW7${letters(114, 17)}`, `mysql://app:{}${AT}db.cto.svc:3306/plays`),
  token('mongodb', `pW7${letters(115, 17)}`, `mongodb+srv://app:{}${AT}cluster0.example.net/plays`),
  token('redis', `pW7${letters(116, 17)}`, `redis://:{}${AT}cache.cto.svc:6379/0`),
  token('amqp', `pW7${letters(117, 17)}`, `amqps://app:{}${AT}mq.cto.svc/vhost`),
  token(
    'basic auth in a URL',
    `pW7${letters(118, 17)}`,
    `fatal: unable to access 'https://bot:{}${AT}git.example.com/a/b.git/'`,
  ),
  token(
    'token as user of a URL',
    `gh·s_${letters(119, 36)}`,
    `git clone https://x-access-token:{}${AT}github.com/acme/app`,
  ),
  token('go data source name', `pW7${letters(120, 17)}`, `dial app:{}${AT}tcp(db.cto.svc:3306)/plays`),
  token('jdbc', `pW7${letters(121, 17)}`, 'jdbc:sqlserver://db:1433;user=app;password={};encrypt=true'),
  token('docker config', base64(`bot:${letters(122, 24)}`), '{"auths":{"ghcr.io":{"_auth":"{}"}}}'),
  token('private key on one line', keyBody(123).join(''), `-----BEGIN ·PRIVATE KEY----- {} -----END ·PRIVATE KEY-----`),
  token(
    'openssh key in JSON',
    keyBody(133).join('\\n'),
    `{"private_key":"-----BEGIN ·OPENSSH PRIVATE KEY-----\\n{}\\n-----END ·OPENSSH PRIVATE KEY-----\\n"}`,
  ),
];

/** The ways in which a secret shows up, each with the texts in which it then stands. */
export const FORMS: Readonly<
  Record<string, (canary: Canary) => { readonly text: string; readonly parts: readonly string[] }>
> = {
  raw: ({ text, secret }) => ({ text, parts: [secret] }),
  'JSON-escaped': ({ text, secret }) =>
    escapedBy((value) => JSON.stringify(JSON.stringify({ log: value })).slice(1, -1), text, secret),
  'URL-encoded': ({ text, secret }) => escapedBy(encodeURIComponent, text, secret),
  base64: ({ text }) => {
    const encoded = base64(text);
    return { text: `payload ${encoded} end`, parts: [encoded] };
  },
  'ANSI-split': ({ text, secret }) => split(text, secret, '\x1b[0m\x1b[31m', 3),
  'line-split': ({ text, secret }) => split(text, secret, '\n2026-01-08T16:04:11.123456Z ', 2),
};

function escapedBy(
  encode: (value: string) => string,
  text: string,
  secret: string,
): { text: string; parts: readonly string[] } {
  const encoded = encode(text);
  const inner = encode(secret);
  return { text: encoded, parts: [secret, encoded.includes(inner) ? inner : secret] };
}

/** Breaks the secret into equal parts. */
function split(text: string, secret: string, by: string, count: number): { text: string; parts: readonly string[] } {
  const size = Math.ceil(secret.length / count);
  const parts = Array.from({ length: count }, (_, i) => secret.slice(i * size, (i + 1) * size)).filter(
    (part) => part !== '',
  );
  return { text: text.replace(secret, () => parts.join(by)), parts: [secret, ...parts] };
}

/** What stands inside a word without being seen, or without ending the word for whoever reads or runs it. */
export const SEPARATORS: Readonly<Record<string, string>> = {
  'zero-width space': '\u200b',
  'zero-width joiner': '\u200d',
  'word joiner': '\u2060',
  'soft hyphen': '\u00ad',
  'bidirectional override': '\u202e',
  'variation selector': '\ufe0f',
  'tag character': '\u{e0041}',
  'byte order mark': '\ufeff',
  'control character': '\x07',
  colours: '\x1b[0m\x1b[31m',
  'a link of a terminal': '\x1b]8;;\x07',
  'colours written out': '\\u001b[31m',
  'colours without escape': '[0m',
  'escaped zero-width space': '\\u200b',
  'percent-coded zero-width space': '%E2%80%8B',
  'reference to a zero-width space': '&#8203;',
  'reference to a soft hyphen': '&shy;',
  tags: '<b></b>',
  comment: '<!-- -->',
  emphasis: '**',
  'link without words': '[](#)',
  'string and plus': '" + "',
  'apostrophe and plus': "'+'",
  'string and dot': '" . "',
  'strings side by side': '" "',
  'shell quotes': "''",
  'strings on two lines': '" +\n  "',
  'shell continuation': '\\\n',
  'line end': '\n',
  'line end of Windows': '\r\n',
  'line separator': '\u2028',
  'escaped line end': '\\n',
  'line of a collector': '\n2026-01-08T16:04:11.123456789Z stdout F ',
  'line of a logger': '\n[2026-01-08 16:04:11] INFO ',
};

/** The secret broken by a separator at the given places, each between 0 and 1. */
export function broken({ text, secret }: Canary, separator: string, places: readonly number[]): string {
  const cuts = places.map((place) => 1 + Math.floor(place * (secret.length - 1))).toSorted((a, b) => a - b);
  const parts = [0, ...cuts].map((from, i) => secret.slice(from, cuts[i] ?? secret.length));
  return text.replace(secret, () => parts.filter((part) => part !== '').join(separator));
}
