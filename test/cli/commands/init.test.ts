import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parse } from 'yaml';
import { type Deployment, parseDeployment } from '#lib/domain/deployment/deployment.ts';
import { cli, startCli } from '#test/support/cli.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'healer-init-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = (): string => join(folder, 'healer.prod.yml');
const written = (): Deployment => parseDeployment(parse(readFileSync(file(), 'utf8')), 'prod');
const args = (...more: string[]): string[] => ['init', '--stage', 'prod', '--folder', folder, ...more];
const NEEDED = ['--set', 'repositories.allowed=acme/*, other/x', '--set', 'loki.url=https://loki.example.com'];

describe('healer init without a terminal', () => {
  it('writes what was set, with defaults, and says what comes next', async () => {
    const more = ['--set', 'loki.user=healer', '--set', 'retention.logDays=90', '--set', 'budgets.day.usd=7.5'];
    const { code, stdout, stderr } = await cli(args('--yes', ...NEEDED, ...more));
    expect([code, stderr]).toEqual([0, '']);
    expect(written()).toMatchObject({
      repositories: { allowed: ['acme/*', 'other/x'] },
      loki: { url: 'https://loki.example.com', user: 'healer' },
      retention: { logDays: 90 },
      budgets: { day: { usd: 7.5, tokens: 10_000_000 } },
    });
    const steps = ['setup github', 'secret set loki-password', 'serverless deploy'].map((step) => stdout.indexOf(step));
    expect(steps.every((at) => at > 0)).toBe(true);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
  });

  it('reads a file of the same form from stdin; what is set counts more', async () => {
    const piped = 'loki: { url: https://one.example.com, tenant: a }\nrepositories: { allowed: [acme/x] }\n';
    const { code } = await cli(args('--set', 'loki.url=https://two.example.com'), {}, Readable.from([piped]));
    expect(code).toBe(0);
    expect(written().loki).toMatchObject({ url: 'https://two.example.com', tenant: 'a' });
    expect(written().repositories.allowed).toEqual(['acme/x']);
  });

  it('overwrites nothing unless it is told to', async () => {
    writeFileSync(file(), 'mine\n');
    const { code, stderr } = await cli(args('--yes', ...NEEDED));
    expect(code).toBe(2);
    expect(stderr).toContain('healer.prod.yml is there already');
    expect(readFileSync(file(), 'utf8')).toBe('mine\n');
    expect((await cli(args('--yes', '--force', ...NEEDED))).code).toBe(0);
    expect(written().region).toBe('eu-central-1');
  });

  it.each([
    ['nothing', [], 'repositories.allowed must be a list'],
    ['a wrong value', ['--set', 'loki.url=loki:3100'], 'loki.url must be the address of Loki'],
    ['an unknown field', ['--set', 'loki.address=x'], 'must name a field'],
    ['no value', ['--set', 'loki.url'], 'field=value'],
    ['a secret', ['--set', 'loki.user=ghp_aB3dE5fG7haB3dE5fG7haB3dE5fG7hJkLmNo'], 'healer secret set loki-password'],
  ])('with %s writes nothing', async (_, more, advice) => {
    const { code, stderr } = await cli(args('--yes', ...more));
    expect(code).toBe(2);
    expect(stderr).toContain(advice);
    expect(() => readFileSync(file())).toThrow('ENOENT');
  });

  it('says where stdin is no YAML', async () => {
    const { code, stderr } = await cli(args(), {}, Readable.from(['loki:\n  url: [']));
    expect(code).toBe(2);
    expect(stderr).toContain('what came by stdin, line 2, is no YAML');
  });

  it('makes the folder that is named', async () => {
    const place = join(folder, 'not', 'yet');
    const { code, stdout } = await cli(['init', '--stage', 'prod', '--folder', place, '--yes', ...NEEDED]);
    expect([code, existsSync(join(place, 'healer.prod.yml'))]).toEqual([0, true]);
    expect(stdout).toContain(join(place, 'healer.prod.yml'));
  });

  it('says so where it cannot write', async () => {
    const file = join(folder, 'no');
    writeFileSync(file, '');
    const { code, stderr } = await cli(['init', '--stage', 'prod', '--folder', file, '--yes', ...NEEDED]);
    expect(code).toBe(2);
    expect(stderr).toMatch(/cannot be written \((?:EEXIST|ENOTDIR)\)/);
  });
});

describe('healer init on a terminal', () => {
  /** Answers each question once it is asked. */
  async function converse(answers: readonly (readonly [question: string, answer: string])[], ...more: string[]) {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const run = startCli(args(...more), {}, stdin);
    for (const [question, answer] of answers) {
      await vi.waitFor(() => expect(run.stderr()).toContain(question), { timeout: 5_000 });
      stdin.write(`${answer}\r`);
    }
    return { code: await run.code, stdout: run.stdout(), stderr: run.stderr() };
  }

  it('explains each question, checks each answer at once, and writes the file', async () => {
    const { code, stderr } = await converse([
      ['AWS region (', ''],
      ['Repositories, separated', 'acme/*,nonsense/'],
      ['It must be owner, owner/* or owner/name', '\u0015acme/*'],
      ['Repository of the platform', ''],
      ['Address of Loki', 'https://loki.example.com'],
      ['User at Loki', 'healer'],
      ['Tenant at Loki', ''],
      ['Read the Kubernetes API as well?', 'y'],
      ['Address of the Kubernetes API', 'https://10.0.0.1:6443'],
      ['Its certificate authority', ''],
      ['Namespaces, separated', 'cto, agents'],
      ['Let a model add to the diagnoses?', 'n'],
      ['Let a model write patches', 'n'],
      ['When may a proposed fix go out?', ''],
      ['Tell a Slack-compatible webhook?', ''],
      ['E-mail address for alarms', 'oncall@example.com'],
      ['Run detect and gather inside a VPC?', 'n'],
    ]);
    expect(code).toBe(0);
    expect(stderr).toContain('User of basic authentication; its password is the secret loki-password.');
    expect(written()).toMatchObject({
      repositories: { allowed: ['acme/*'] },
      loki: { url: 'https://loki.example.com', user: 'healer', tenant: null },
      kubernetes: { url: 'https://10.0.0.1:6443', ca: null, namespaces: ['cto', 'agents'] },
      models: null,
      alarms: { email: 'oncall@example.com' },
      vpc: null,
    });
  });

  it('does not ask what is set', async () => {
    const set = ['region=us-east-1', 'repositories.platform=none', 'loki.user=none', 'loki.tenant=none'];
    const { code, stderr } = await converse(
      [
        ['Read the Kubernetes API as well?', ''],
        ['Let a model add to the diagnoses?', ''],
        ['Let a model write patches', ''],
        ['When may a proposed fix go out?', ''],
        ['Tell a Slack-compatible webhook?', ''],
        ['E-mail address for alarms', ''],
        ['Run detect and gather inside a VPC?', ''],
      ],
      ...NEEDED,
      ...set.flatMap((word) => ['--set', word]),
    );
    expect(code).toBe(0);
    expect(stderr).not.toContain('Address of Loki');
    expect(written().region).toBe('us-east-1');
  });

  it('writes nothing when the person goes away', async () => {
    const { code, stderr } = await converse([['AWS region (', '\u0003']]);
    expect(code).toBe(2);
    expect(stderr).toContain('healer: nothing is written');
    expect(() => readFileSync(file())).toThrow('ENOENT');
  });
});
