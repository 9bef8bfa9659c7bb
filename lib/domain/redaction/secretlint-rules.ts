import { rules as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import type { RedactionRule, Sighting } from './rule.ts';

type Creator = (typeof recommended)[number];
type Context = Parameters<Creator['create']>[0];
type Source = Parameters<NonNullable<ReturnType<Creator['create']>['file']>>[0];

const PREFIX = '@secretlint/secretlint-rule-';

/**
 * Recommended rules that are left out. `filter-comments` obeys `secretlint-disable` in the text, which a hostile line would
 * hold. `gcp` opens the file that the text is said to come from. `basicauth` and `database-connection-string` take
 * the whole address; Healer's own rule takes the credentials and leaves the host.
 */
const LEFT_OUT = new Set(
  ['filter-comments', 'gcp', 'basicauth', 'database-connection-string'].map((name) => PREFIX + name),
);

/**
 * Findings that are left out: an AWS account id is no secret, and of a secret access key the rule reports a place that is
 * that of its name; Healer's own rule takes it.
 */
const NO_SECRET = new Set(['AWSAccountID', 'AWSSecretAccessKey']);

/** Literals of which all that a rule finds holds one, by the expressions of this version; other rules are always asked. */
const HINTS: Readonly<Record<string, readonly string[]>> = {
  aws: ['A3T', 'AKIA', 'AGPA', 'AIDA', 'AROA', 'AIPA', 'ANPA', 'ANVA', 'ASIA'],
  privatekey: ['-----BEGIN'],
  npm: ['_authToken=', 'npm_', 'x-oauth-basic'],
  sendgrid: ['SG.'],
  shopify: ['shppa_', 'shpca_', 'shpat_', 'shpss_'],
  stripe: ['sk_live_', 'sk_test_', 'rk_live_', 'rk_test_'],
  github: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_', 'github_pat_'],
  gitlab: ['glpat-'],
  grafana: ['glc_', 'glsa_'],
  openai: ['sk-'],
  anthropic: ['sk-ant-'],
  groq: ['gsk_'],
  huggingface: ['hf_'],
  linear: ['lin_api_'],
  notion: ['ntn_'],
  '1password': ['ops_'],
  'hashicorp-vault': ['hvs.', 'hvb.', 'hvr.'],
  vercel: ['vcp_', 'vci_', 'vca_', 'vcr_', 'vck_'],
  databricks: ['dapi'],
  docker: ['dckr_pat_'],
  figma: ['figd_'],
  cloudflare: ['cfk_', 'cfut_', 'cfat_'],
  tailscale: ['tskey-'],
};

/**
 * secretlint's recommended rules, run without `@secretlint/core`: its profiler keeps a mark per call for the life of the
 * process, and its filter of duplicates is quadratic in the findings.
 */
export const SECRETLINT_RULES: readonly RedactionRule[] = recommended
  .filter((creator) => !LEFT_OUT.has(creator.meta.id))
  .map(toRule);

function toRule(creator: Creator): RedactionRule {
  const kind = creator.meta.id.slice(PREFIX.length);
  const hints = HINTS[kind];
  return {
    kind,
    shape: 'token',
    ...(hints !== undefined && { hints }),
    async find(text) {
      const found: Sighting[] = [];
      await creator.create(toContext(found), {}).file?.(toSource(text));
      return found;
    },
  };
}

/** Keeps positions only; messages would repeat the secret. */
function toContext(found: Sighting[]): Context {
  return {
    sharedOptions: {},
    createTranslator: () => (messageId) => ({ message: '', messageId: String(messageId), data: undefined }),
    ignore: () => undefined,
    report: ({ message, range: [start, end] }) => {
      if (!NO_SECRET.has(message.messageId)) found.push({ from: start, start, end });
    },
  };
}

function toSource(content: string): Source {
  const notAsked = (): never => {
    throw new Error('a rule asked for a position that only secretlint knows');
  };
  return {
    hasBOM: false,
    content,
    filePath: undefined,
    physicalFilePath: undefined,
    contentType: 'text',
    ext: '',
    getFilePath: () => undefined,
    getPhysicalFilePath: () => undefined,
    locationToRange: notAsked,
    rangeToLocation: notAsked,
    positionToIndex: notAsked,
    indexToPosition: notAsked,
  };
}
