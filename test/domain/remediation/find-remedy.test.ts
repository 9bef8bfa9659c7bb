import { describe, expect, it } from 'vitest';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import { applyEdits } from '#lib/domain/remediation/apply-edits.ts';
import { findRemedy } from '#lib/domain/remediation/find-remedy.ts';
import { checkPatch } from '#lib/domain/remediation/patch-policy.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';

type Files = Readonly<Record<string, string>>;

const seek = (files: Files, finding = aFinding()) =>
  findRemedy(finding, Object.keys(files), new Map(Object.entries(files)));

async function fixed(files: Files, finding = aFinding()): Promise<Files> {
  const proposal = seek(files, finding);
  if (proposal === undefined) throw new Error('no remedy was found');
  const texts = new Map(Object.entries(files));
  const tree = Object.keys(files).map((path) => ({ path, mode: '100644', sha: 'a'.repeat(40), size: 1 }));
  await checkPatch(proposal, { files: tree, texts }, createRedactor());
  return Object.fromEntries(applyEdits(texts, proposal.edits).map(({ path, after }) => [path, after]));
}

const config = (remote: readonly string[], other: readonly string[] = []) =>
  JSON.stringify({ agents: { rex: { tools: { remote } }, cleo: { tools: { remote: other } } } }, null, 2);

describe('a misspelt tool', () => {
  it('becomes the name that another agent declares, and nothing else changes', async () => {
    const before = `{\n\t"agents" : { "Rex": { "tools": {"remote":["a_b",  "github_create_brnch" ]} },\n "cleo": {"tools":{"remote":["github_create_branch"]}} } }\n`;
    const after = await fixed({ 'cto-config.json': before });
    expect(after['cto-config.json']).toBe(before.replace('create_brnch', 'create_branch'));
  });

  it('is corrected once for each place where this name stands', async () => {
    const before = JSON.stringify(
      {
        agents: {
          rex: { tools: { remote: ['github_create_brnch'] } },
          tess: { tools: { remote: ['github_create_brnch'] } },
          cleo: { tools: { remote: ['github_create_branch'] } },
        },
      },
      null,
      2,
    );
    const after = await fixed({ 'cto-config.json': before });
    expect(after['cto-config.json']).toBe(before.replaceAll('create_brnch', 'create_branch'));
  });

  it('becomes the name that a catalogue declares, also one that it was renamed to', async () => {
    const catalogue = JSON.stringify({ remote: { github: { tools: [{ name: 'github_create_branch' }] } } });
    const files = { 'cto-config.json': config(['github_create_brnch']), 'mcp/tool-catalog.json': catalogue };
    expect((await fixed(files))['cto-config.json']).toContain('"github_create_branch"');
    const renamed = JSON.stringify([{ name: 'repo_branch_new', renamedFrom: 'github_create_brnch' }]);
    const others = { 'cto-config.json': config(['github_create_brnch']), 'tools.json': renamed };
    expect((await fixed(others))['cto-config.json']).toContain('"repo_branch_new"');
  });

  it.each<[string, Files]>([
    ['nothing near is declared', { 'cto-config.json': config(['github_create_brnch'], ['docs_lookup']) }],
    [
      'two names are equally near',
      { 'cto-config.json': config(['github_create_brnch'], ['github_create_branch', 'github_create_brunch']) },
    ],
    [
      'the name is right, and the tool merely down',
      {
        'cto-config.json': config(['github_create_brnch'], ['github_create_brnch']),
        'tools.json': '["github_create_brnch","github_create_branch"]',
      },
    ],
    [
      'the right name stands in the list already',
      { 'cto-config.json': config(['github_create_brnch', 'github_create_branch']) },
    ],
    ['the name is not declared', { 'cto-config.json': config(['docs_lookup'], ['github_create_branch']) }],
    ['the configuration is no JSON', { 'cto-config.json': '{' }],
    ['there is no configuration', { 'README.md': 'github_create_branch' }],
  ])('has no remedy when %s', (_why, files) => {
    expect(seek(files)).toBeUndefined();
  });

  it('is never taken from the log: what the finding names is no source', () => {
    const finding = aFinding({ identity: { tool: 'github_create_brnch', offered: 'github_create_branch' } });
    expect(seek({ 'cto-config.json': config(['github_create_brnch']) }, finding)).toBeUndefined();
  });
});

describe('a missing key', () => {
  const finding = aFinding({ code: 'A11', identity: {}, pattern: 'config.invalid' });
  const schema = JSON.stringify({
    properties: {
      version: { default: '1.0' },
      agents: {
        additionalProperties: { required: ['maxRetries', 'cli'], properties: { maxRetries: { default: 3 }, cli: {} } },
      },
    },
    required: ['version'],
  });

  it('is added with the default that the schema documents', async () => {
    const before = '{\n  "agents": {\n    "rex": {\n      "model": "m"\n    }\n  }\n}\n';
    const after = await fixed({ 'cto-config.json': before, 'cto-config.schema.json': schema }, finding);
    expect(after['cto-config.json']).toBe(
      '{\n  "version": "1.0",\n  "agents": {\n    "rex": {\n      "maxRetries": 3,\n      "model": "m"\n    }\n  }\n}\n',
    );
  });

  it('has no remedy without a documented default', () => {
    const files = {
      'cto-config.json': '{"version":"1.0","agents":{"rex":{"maxRetries":1}}}',
      'cto-config.schema.json': schema,
    };
    expect(seek(files, finding)).toBeUndefined();
    expect(seek({ 'cto-config.json': '{}' }, finding)).toBeUndefined();
  });
});

describe('an empty prompt template reference', () => {
  const finding = aFinding({ code: null, category: 'lifecycle', pattern: 'instructions.prompt-empty', identity: {} });
  const files = (template: string) => ({
    'cto-config.json': JSON.stringify(
      { agents: { rex: { template }, cleo: { template: 'prompts/cleo/system.md' } } },
      null,
      2,
    ),
    'prompts/cleo/system.md': 'You review.',
    'prompts/rex/system.md': 'You build.',
  });

  it('is led where the references of the others lead', async () => {
    expect((await fixed(files(''), finding))['cto-config.json']).toContain('"template": "prompts/rex/system.md"');
  });

  it('that misses its file by a letter is led to it', async () => {
    expect((await fixed(files('prompts/rex/sytem.md'), finding))['cto-config.json']).toContain('prompts/rex/system.md');
  });

  it('has no remedy when it leads somewhere, or nowhere near', () => {
    expect(seek(files('prompts/rex/system.md'), finding)).toBeUndefined();
    expect(seek(files('other/thing.md'), finding)).toBeUndefined();
  });
});
