import { ModelAnswerSight } from '#lib/domain/probe.ts';
import type { Ward } from './aws.ts';
import { attempt, type Finding, ok, wrong } from './finding.ts';
import { invokeProbe } from './invoke-probe.ts';

const MODELS = [
  { name: 'evaluate', field: 'evaluation' },
  { name: 'remediate', field: 'remediation' },
] as const;

/**
 * Each configured model answers in the form that its function asks for. They are asked from inside the functions, which
 * alone may read their keys; a question counts against the day's budget.
 */
export async function checkModels(ward: Ward): Promise<readonly Finding[]> {
  const { models } = ward.stage.deployment;
  const configured = MODELS.flatMap(({ name, field }) => {
    const wanted = models?.[field]?.name;
    return wanted === undefined ? [] : [{ name, check: `model ${field}`, wanted }];
  });
  if (configured.length === 0) return [ok('models', 'not configured: fixed rules alone')];
  const findings = configured.map((one) => attempt(one.check, async () => [await checkModel(ward, one)]));
  return (await Promise.all(findings)).flat();
}

interface Configured {
  readonly name: 'evaluate' | 'remediate';
  readonly check: string;
  /** The model that the file names. */
  readonly wanted: string;
}

async function checkModel(ward: Ward, { name, check, wanted }: Configured): Promise<Finding> {
  const { model } = await invokeProbe(ward, name, ModelAnswerSight);
  if (model?.name !== wanted) {
    const has = model === null ? 'without a model' : `with ${model.name}`;
    const advice = `npx serverless deploy --stage ${ward.stage.name}`;
    return wrong(check, `${name} was deployed ${has}; the file names ${wanted}`, advice);
  }
  const { trouble } = model;
  if (trouble !== null) return wrong(check, `${wanted}: ${trouble.reason}`, trouble.advice);
  return ok(check, `${wanted} answers in the form that is asked for`);
}
