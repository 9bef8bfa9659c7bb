import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isRegion, REGIONS, sayRegion } from '#lib/domain/deployment/regions.ts';
import { ROOT } from '#test/support/template/package-cache.ts';

const read = (path: string): string => readFileSync(join(ROOT, 'node_modules', path), 'utf8');

/** The regions of every partition of the AWS SDK. */
function regionsOfSdk(): readonly string[] {
  const text = read('@aws-sdk/core/dist-es/submodules/client/util-endpoints/lib/aws/partitions.js');
  const [, json = ''] = /^export const partitionsInfo = (\{.*\});\s*$/s.exec(text) ?? [];
  const { partitions } = JSON.parse(json) as { partitions: { regions: object }[] };
  return partitions.flatMap(({ regions }) => Object.keys(regions)).filter((name) => !name.endsWith('-global'));
}

/** What the framework takes for `provider.region`. */
function regionsOfFramework(): readonly string[] {
  const [, list = ''] = /\bregion: \{\s+enum: \[([^\]]+)\]/.exec(read('serverless/lib/plugins/aws/provider.js')) ?? [];
  return [...list.matchAll(/'([a-z\d-]+)'/g)].map(([, name = '']) => name);
}

it('are those that the AWS SDK knows and the framework deploys to', () => {
  const framework = regionsOfFramework();
  expect(framework.length).toBeGreaterThan(30);
  expect(REGIONS).toEqual(regionsOfSdk().filter((name) => framework.includes(name)));
});

it.each(['eu-central-1', 'us-gov-west-1', 'cn-northwest-1'])('%s is one', (name) => expect(isRegion(name)).toBe(true));
it.each(['eu-nowhere-1', 'aws-global', 'EU-CENTRAL-1', '', 'constructor'])('%j is none', (name) =>
  expect(isRegion(name)).toBe(false),
);

describe('the advice on a text that is no region', () => {
  it.each([
    ['eu-centrl-1', 'perhaps eu-central-1'],
    ['EU_Central_1', 'perhaps eu-central-1'],
    ['us-east-3', 'perhaps us-east-1 or us-east-2'],
    ['eu-east-1', 'perhaps eu-west-1'],
    ['ue-north-1', 'perhaps eu-north-1'],
    ['eu-nowhere-1', 'e.g. eu-central-1'],
    ['Frankfurt', 'e.g. eu-central-1'],
    ['eu-central-1'.repeat(9), 'e.g. eu-central-1'],
    [7, 'e.g. eu-central-1'],
  ])('%j: %s', (text, advice) => {
    expect(sayRegion(text)).toBe(`must be a region of AWS that Healer can be deployed to, ${advice}`);
  });
});
