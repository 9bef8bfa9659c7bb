import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readFacts } from '#lib/cli/cost/read-facts.ts';
import { callCli } from '#test/support/run-cli.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'healer-cost-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const FILE = `
region: us-east-1
repositories: { allowed: [acme/*] }
loki: { url: https://loki.example.com }
models: { evaluation: { name: small-1, inputUsdPerMillion: 1, outputUsdPerMillion: 4 } }
vpc: { subnets: [subnet-0a1b2c3d, subnet-0a1b2c3e], securityGroups: [sg-0a1b2c3d] }
`;

const call = (...args: string[]) => callCli([...args, '--folder', folder]);
const json = async (...args: string[]) => JSON.parse((await call(...args, '--json')).stdout);

describe('healer cost', () => {
  it('shows services, total, model, transfer and what it takes for granted', async () => {
    const { code, stdout } = await call('cost', '--sessions', '1000');
    expect(code).toBe(0);
    for (const word of [
      'Lambda',
      'DynamoDB',
      'SQS',
      'CloudWatch',
      'total',
      'Models: none',
      'Data transfer',
      'no free tier',
    ])
      expect(stdout).toContain(word);
    expect(stdout).toContain(`no healer.dev.yml in ${folder}, so its defaults`);
    expect(stdout).toMatch(/0\.0\d+ USD for each session/);
    expect(stdout).not.toContain('NaN');
  });

  it('takes region, models and VPC from the file of the stage', async () => {
    writeFileSync(join(folder, 'healer.prod.yml'), FILE);
    const told = await json('cost', '--stage', 'prod');
    expect(told).toMatchObject({
      region: 'us-east-1',
      configuration: 'healer.prod.yml',
      prices: { pricesOf: 'us-east-1' },
    });
    expect(told.models.lines).toMatchObject([{ stage: 'evaluation', model: 'small-1' }]);
    expect(told.lines.filter(({ service }: { service: string }) => service === 'NAT')).toHaveLength(2);
    const { stdout } = await call('cost', '--stage', 'prod');
    expect(stdout).toContain('evaluation with small-1');
  });

  it('says whose prices stand in for a region that has none', async () => {
    const { stdout } = await call('cost', '--region', 'ap-south-1');
    expect(stdout).toContain('those of eu-central-1, since the table has none for ap-south-1');
  });

  it.each([
    [['--sessions', '-1'], '--sessions takes a value that begins with a dash only as --sessions=VALUE'],
    [['--sessions=-1'], '--sessions must be a whole number from 1 to 1000000'],
    [['--sessions', 'lots'], '--sessions must be a whole number from 1 to 1000000'],
    [['--namespaces', '200'], '--namespaces must be at most the number of sessions'],
    [['--stage', 'No Stage'], 'The stage must have'],
    [['--tenants', '3'], "'--tenants'"],
  ])('refuses %o with a sentence', async (args, sentence) => {
    const { code, stdout, stderr } = await call('cost', ...args);
    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('    at ');
  });

  it('a wrong file ends it', async () => {
    writeFileSync(join(folder, 'healer.dev.yml'), 'loki: 3\n');
    expect(await call('cost')).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('healer quotas', () => {
  it('names the first limit, and what to do', async () => {
    const { code, stdout } = await call('quotas', '--sessions', '500');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n1\. Loki: .* – at [\d,]+ sessions/);
    expect(stdout).toContain('ingestion_rate_mb');
  });

  it('ends with 1 when one is passed already', async () => {
    const { code, stdout } = await call('quotas', '--sessions', '5000');
    expect(code).toBe(1);
    expect(stdout).toContain('PASSED');
  });

  it('counts what the configuration bounds', async () => {
    writeFileSync(join(folder, 'healer.prod.yml'), FILE);
    const { quotas } = await json('quotas', '--stage', 'prod');
    expect(quotas.map(({ name }: { name: string }) => name)).toContain('money of a day (budgets.day.usd)');
    expect(quotas[0]).toMatchObject({
      metAt: expect.any(Number),
      share: expect.any(Number),
      source: expect.any(String),
    });
  });
});

it('reads the template of this repository', () => {
  const facts = readFacts();
  expect(facts.sweepEveryS).toBe(60);
  expect(facts.functions['detect']).toMatchObject({ isQueueFed: true, memoryMb: expect.any(Number) });
  expect(Object.values(facts.functions).filter(({ isQueueFed }) => isQueueFed)).toHaveLength(5);
  expect(facts.alarmMetrics).toBeGreaterThanOrEqual(7);
  expect(facts.dashboards).toBe(1);
  // BudgetUsed, where there is a model: the other alarms watch what a healthy stage does not write.
  expect([facts.metrics, facts.modelMetrics]).toEqual([0, 1]);
});
