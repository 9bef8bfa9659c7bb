import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readConfig } from '#lib/config.ts';
import { defaultParameters, toParameters } from '#lib/domain/deployment/to-parameters.ts';
import { modeOf, parseModes } from '#lib/domain/remediation/modes.ts';
import { filesBelow } from '#lib/local/package-service.ts';
import { kubernetesSettings } from '#lib/wiring/kubernetes.ts';
import { lokiSettings } from '#lib/wiring/loki.ts';
import { budgetSettings, modelSettings, toBudgetLimits } from '#lib/wiring/model-settings.ts';
import { aDeployment } from '#test/support/builders/a-deployment.ts';
import { ROOT } from '#test/support/template/package-cache.ts';

/** Environment of a function as the template makes it of parameters: `lokiUrl` is `LOKI_URL`. */
const toEnvironment = (parameters: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [
      name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase(),
      String(value),
    ]),
  );

describe('the parameters of the template', () => {
  const sources = [join(ROOT, 'serverless.yml'), ...filesBelow(join(ROOT, 'infra'))]
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
  const used = new Set([...sources.matchAll(/\$\{(?:[^{}]*, ?)?param:(\w+)/g)].map(([, name = '']) => name));

  it('are those that the template uses', () => {
    expect(Object.keys(toParameters(aDeployment())).toSorted()).toEqual([...used].toSorted());
  });

  it('have each a value without a file, except for what has no default', () => {
    const defaults = defaultParameters('dev');
    expect(defaults).toEqual({
      ...toParameters(aDeployment({}, 'dev')),
      allowedRepositories: '',
      lokiUrl: '',
    });
    expect(defaults).toMatchObject({ secretsPrefix: '/healer/dev', network: 'none', alarmMail: 'none' });
  });

  it('are read by the functions as they were meant', () => {
    const deployment = aDeployment({
      loki: { url: 'https://loki.example.com', tenant: 'team-a', user: 'healer', longestPauseSeconds: 5 },
      kubernetes: { url: 'https://10.0.0.1:6443', namespaces: ['cto', 'agents'] },
      models: {
        evaluation: { name: 'small', inputUsdPerMillion: 0.000_001, outputUsdPerMillion: 10 },
        remediation: { name: 'large', inputUsdPerMillion: 100, outputUsdPerMillion: 0 },
      },
      budgets: { incident: { usd: 0.5, tokens: 10 }, play: { usd: 20 }, day: { tokens: 0 } },
    });
    const settings = { ...lokiSettings, ...kubernetesSettings, ...budgetSettings };
    const env = toEnvironment(toParameters(deployment));
    const config = readConfig(settings, env);
    expect(config).toMatchObject({
      url: 'https://loki.example.com',
      tenant: 'team-a',
      user: 'healer',
      podLabel: 'pod',
    });
    expect(config).toMatchObject({ kubeUrl: 'https://10.0.0.1:6443', kubeNamespaces: ['cto', 'agents'] });
    expect(config.selector('a"b')).toBe(String.raw`{namespace="a\"b"}`);
    expect(toBudgetLimits(config)).toEqual({
      incident: { tokens: 10, microUsd: 500_000 },
      play: { tokens: 1_000_000, microUsd: 20_000_000 },
      day: { tokens: 0, microUsd: 50_000_000 },
    });
    expect(readConfig(modelSettings('EVALUATION'), env)).toMatchObject({
      model: 'small',
      inputUsd: 0.000_001,
      outputUsd: 10,
    });
    expect(readConfig(modelSettings('REMEDIATION'), env)).toMatchObject({
      model: 'large',
      inputUsd: 100,
      outputUsd: 0,
    });
  });

  it('say the mode of a repository as the file does', () => {
    const modes = { 'acme/sandbox': 'auto', 'other/*': 'off' } as const;
    const { remediationModes } = toParameters(aDeployment({ remediation: { mode: 'label', modes } }));
    const rules = parseModes(String(remediationModes));
    expect(['acme/sandbox', 'other/x', 'acme/x'].map((name) => modeOf(rules, name))).toEqual(['auto', 'off', 'label']);
  });

  it('place the functions in a VPC where there is one', () => {
    const vpc = { subnets: ['subnet-0a1b2c3d'], securityGroups: ['sg-0a1b2c3d'] };
    expect(toParameters(aDeployment({ vpc }))).toMatchObject({ network: 'vpc', ...vpc });
  });
});
