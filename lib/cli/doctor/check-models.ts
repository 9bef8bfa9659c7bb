import { ModelAnswerSight } from '#lib/domain/probe.ts';
import type { Ward } from './aws.ts';
import { attempt, type Finding, ok, wrong } from './finding.ts';
import { invokeProbe } from './invoke-probe.ts';

const MODELS = [
  { name: 'evaluate', field: 'evaluation' },
  { name: 'remediate', field: 'remediation' },
] as const;

type Model = (typeof MODELS)[number];

/**
 * Each configured model answers in the form that its function asks for. They are asked from inside the functions, which
 * alone may read their keys; a question counts against the day's budget. Without the stage's file, those are asked that the
 * functions were deployed with.
 */
export async function checkModels(ward: Ward): Promise<readonly Finding[]> {
  const { deployment } = ward.stage;
  const asked = MODELS.filter(({ field }) => deployment === null || Boolean(deployment.models?.[field]));
  if (asked.length === 0) return [ok('models', 'not configured: fixed rules alone')];
  const findings = asked.map((one) => attempt(`model ${one.field}`, async () => [await checkModel(ward, one)]));
  return (await Promise.all(findings)).flat();
}

async function checkModel(ward: Ward, { name, field }: Model): Promise<Finding> {
  const check = `model ${field}`;
  const { model } = await invokeProbe(ward, name, ModelAnswerSight);
  const wanted = ward.stage.deployment?.models?.[field]?.name;
  if (wanted !== undefined && model?.name !== wanted) {
    const has = model === null ? 'without a model' : `with ${model.name}`;
    const advice = `npx serverless deploy --stage ${ward.stage.name}`;
    return wrong(check, `${name} was deployed ${has}; the file names ${wanted}`, advice);
  }
  if (model === null) return ok(check, `${name} was deployed without one: fixed rules alone`);
  const { trouble } = model;
  if (trouble !== null) return wrong(check, `${model.name}: ${trouble.reason}`, trouble.advice);
  return ok(check, `${model.name} answers in the form that is asked for`);
}
