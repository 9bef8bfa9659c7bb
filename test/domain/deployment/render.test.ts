import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { type DeploymentInput, parseDeployment } from '#lib/domain/deployment/deployment.ts';
import { FIELDS } from '#lib/domain/deployment/describe-fields.ts';
import { renderDeployment } from '#lib/domain/deployment/render.ts';
import { aDeployment } from '#test/support/builders/a-deployment.ts';
import { ROOT } from '#test/support/template/package-cache.ts';

const CA = readFileSync(new URL('../../support/tls/ca.pem', import.meta.url), 'utf8');

/** Every block filled in, as `healer.example.yml` shows it. */
const EXAMPLE: Partial<DeploymentInput> = {
  repositories: { allowed: ['acme/*', 'other/widgets'], platform: 'acme/platform' },
  api: { authorization: 'jwt', jwt: { issuer: 'https://idp.example.com/realms/acme', audience: 'healer' } },
  loki: { url: 'https://loki.example.com', tenant: 'team-a', user: 'healer' },
  kubernetes: { url: 'https://10.0.0.1:6443', namespaces: ['cto'] },
  github: { webUrl: 'https://github.com' },
  models: {
    evaluation: { name: 'gpt-5-mini', inputUsdPerMillion: 0.25, outputUsdPerMillion: 2 },
    remediation: { name: 'gpt-5', inputUsdPerMillion: 1.25, outputUsdPerMillion: 10 },
  },
  remediation: { modes: { 'acme/sandbox': 'auto' } },
  notifications: { webhook: 'secret' },
  vpc: { subnets: ['subnet-0a1b2c3d', 'subnet-4e5f6071'], securityGroups: ['sg-0a1b2c3d'] },
  alarms: { email: 'oncall@example.com' },
};

const reread = (text: string) => parseDeployment(parse(text), 'prod');

/** Paths of all that stands in the file, those of lists and maps of names apart. */
const pathsOf = (value: unknown, path = ''): readonly string[] =>
  typeof value !== 'object' || value === null || Array.isArray(value) || path === 'remediation.modes'
    ? [path]
    : [
        ...(path === '' ? [] : [path]),
        ...Object.entries(value).flatMap(([name, inner]) => pathsOf(inner, path === '' ? name : `${path}.${name}`)),
      ];

describe('a written file', () => {
  it('reads as what it was made of', () => {
    const text = fc.stringMatching(/^[!-~]{1,20}$/);
    const deployment = fc
      .record({
        tenant: fc.option(text, { nil: 'none' as const }),
        name: text,
        usd: fc.integer({ min: 0, max: 999_999_000_000 }).map((micros) => micros / 1e6),
        mode: fc.constantFrom('guarded', 'auto', 'label', 'off'),
        email: fc.constantFrom('none', 'oncall@example.com', 'a.b+c@x.example'),
      })
      .map(({ tenant, name, usd, mode, email }) => ({
        loki: { url: 'https://loki.example.com', tenant },
        models: { evaluation: { name, inputUsdPerMillion: usd, outputUsdPerMillion: 0 } },
        remediation: { mode, modes: { 'acme/x': mode } },
        alarms: { email },
      }));
    fc.assert(
      fc.property(deployment, (overrides) => {
        const made = attempt(overrides);
        fc.pre(made !== undefined);
        expect(reread(renderDeployment(made))).toEqual(made);
      }),
    );
  });

  it('explains each field in a comment', () => {
    const lines = renderDeployment(aDeployment(EXAMPLE)).split('\n');
    const bare = lines.filter((line, index) => /^ *\w+:/.test(line) && !/^ *#/.test(lines[index - 1] ?? ''));
    expect(bare).toEqual([]);
    expect([...FIELDS].filter(([, { description }]) => description.length < 4)).toEqual([]);
    expect(lines.filter((line) => line.length > 120 && line.includes('#'))).toEqual([]);
  });
});

/** Undefined where chance made something that looks like a secret. */
function attempt(overrides: Partial<DeploymentInput>) {
  try {
    return aDeployment(overrides);
  } catch {
    return undefined;
  }
}

describe('healer.example.yml', () => {
  it('is a right file with every field of the schema; `vitest run -u` refreshes it', async () => {
    const kubernetes = { ...(EXAMPLE.kubernetes as object), ca: Buffer.from(CA).toString('base64') };
    const example = aDeployment({ ...EXAMPLE, kubernetes: kubernetes as DeploymentInput['kubernetes'] });
    const file = join(ROOT, 'healer.example.yml');
    await expect(renderDeployment(example)).toMatchFileSnapshot(file);
    expect(reread(readFileSync(file, 'utf8'))).toEqual(example);
    expect(pathsOf(parse(readFileSync(file, 'utf8'))).toSorted()).toEqual([...FIELDS.keys()].toSorted());
  });
});
