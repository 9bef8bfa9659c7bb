import type { TokenRow } from './rule.ts';

/**
 * Tokens of code hosts, registries and build services, by their published prefixes. Sources: GitHub's list of secret
 * scanning patterns, GitLab's token overview, gitleaks' rules (MIT). `ghs_` also in the form that holds a JWT (2026).
 */
export const CODE_HOST_TOKENS: readonly TokenRow[] = [
  ['github-token', ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'], 'gh[pousr]_[\\w-]{24,2048}(?:\\.[\\w-]{8,8192}){0,2}'],
  ['github-token', ['github_pat_'], 'github_pat_\\w{22,255}'],
  [
    'gitlab-token',
    ['gl'],
    'gl(?:pat|ptt|rt|dt|cbt|ft|imt|agent|soat|oas|ffct|wt)-[\\w-]{20,300}(?:\\.[\\w-]{2,60}){0,3}',
  ],
  ['gitlab-token', ['GR1348941'], 'GR1348941[\\w-]{20,64}'],
  ['bitbucket-token', ['ATBB', 'ATCTT3'], '(?:ATBB|ATCTT3)[\\w=-]{24,300}'],
  ['atlassian-token', ['ATATT3'], 'ATATT3[\\w=-]{24,300}'],
  ['npm-token', ['npm_'], 'npm_[A-Za-z0-9]{36,64}'],
  ['pypi-token', ['pypi-Ag'], 'pypi-Ag[\\w-]{48,1000}'],
  ['docker-token', ['dckr_'], 'dckr_(?:pat|oat)_[\\w-]{20,64}'],
  ['rubygems-token', ['rubygems_'], 'rubygems_[0-9a-f]{48}'],
  ['crates-token', ['cio'], '(?<![A-Za-z0-9])cio[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
  ['nuget-token', ['oy2'], '(?<![A-Za-z0-9])oy2[a-z0-9]{43}(?![A-Za-z0-9])'],
  ['jfrog-token', ['AKCp', 'cmVmdGtu'], '(?:AKCp[A-Za-z0-9]{60,90}|cmVmdGtu[A-Za-z0-9]{50,60})'],
  ['clojars-token', ['CLOJARS_'], 'CLOJARS_[a-z0-9]{60}'],
  ['buildkite-token', ['bkua_', 'bkct_'], 'bk(?:ua|ct)_[\\w-]{40,200}'],
  ['circleci-token', ['CCIPAT_', 'CCIPRJ_'], 'CCIP(?:AT|RJ)_[\\w-]{20,120}'],
  ['linear-token', ['lin_'], 'lin_(?:api|oauth|wh)_[A-Za-z0-9]{32,128}'],
  ['notion-token', ['ntn_', 'secret_'], '(?:ntn_[A-Za-z0-9]{40,60}|(?<![A-Za-z0-9])secret_[A-Za-z0-9]{43})'],
  ['figma-token', ['figd_'], 'figd_[\\w-]{40,200}'],
  ['postman-token', ['PMAK-'], 'PMAK-[0-9a-f]{24}-[0-9a-f]{34}'],
  ['airtable-token', ['pat'], '(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\\.[0-9a-f]{64}'],
  ['contentful-token', ['CFPAT-'], 'CFPAT-[\\w-]{40,64}'],
  ['sentry-token', ['sntry'], 'sntry[su]_[\\w+/=-]{40,400}'],
  ['azure-devops-token', ['AZDO'], '(?<![A-Za-z0-9])[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}(?![A-Za-z0-9])'],
  ['cursor-token', ['key_'], '(?<![A-Za-z0-9])key_[0-9a-f]{64}'],
  ['cargo-token', ['CIO'], '(?<![A-Za-z0-9])CIO[A-Za-z0-9]{32}(?![A-Za-z0-9])'],
];
