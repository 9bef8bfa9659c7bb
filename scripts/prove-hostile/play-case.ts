import { openAiModel } from '#lib/adapters/openai/openai-model.ts';
import { evaluateIncident } from '#lib/app/evaluate-incident.ts';
import type { RemediationOutcome } from '#lib/domain/remediation/remediation.ts';
import type { QueueName } from '#lib/flow.ts';
import type { EmbeddedModel } from '#lib/local/openai/start-model.ts';
import { anAnalyst } from '#test/support/an-analyst.ts';
import type { Workshop } from '#test/support/remediation.ts';
import type { HostileCase } from './hostile-cases.ts';

/** Stages that one incident goes through at most: three patches, each with its looks. */
const MAX_TURNS = 16;

const limits = { signal: new AbortController().signal, remainingMs: () => 240_000 };
const budgets = { reserve: async () => ({ granted: true }) as const, settle: async () => {} };

/** Name of the model under which the replies of a case are scripted. */
export const modelOf = (index: number): string => `hostile-${index}`;

/** The stages as they are deployed, with models that are in a stranger's hands. */
function stagesOf(shop: Workshop, { url }: EmbeddedModel, index: number, id: string) {
  const { analyst } = anAnalyst({ url, budgets, model: modelOf(index) });
  const author = {
    ...analyst,
    redactor: shop.ports.redactor,
    model: openAiModel({
      secrets: { get: async () => 'sk-canary' },
      secret: 'openai-key-remediation',
      baseUrl: url,
      model: modelOf(index),
      prices: { inputUsd: 1, outputUsd: 1 },
      clock: shop.clock,
    }),
  };
  const stages: Partial<Record<QueueName, () => Promise<unknown>>> = {
    evaluation: () => evaluateIncident({ ...shop.ports, analyst })({ incident: id }, limits),
    publication: () => shop.publish(id),
    remediation: () => shop.remediate(id, author),
  };
  return stages;
}

/** The stage that an incident waits for; the clock moves on to when it is due. */
async function nextStage(shop: Workshop, id: string, looksOn: boolean): Promise<QueueName | undefined> {
  const [sent] = shop.queue.take();
  if (sent !== undefined) return sent.queue;
  const incident = await shop.ports.incidents.get(id);
  const isLook = incident?.state === 'proposed' && looksOn;
  if (incident?.next == null || incident.due === null) return undefined;
  if (incident.next === 'publication' && incident.state !== 'diagnosed' && !isLook) return undefined;
  shop.clock.offset += Math.max(0, incident.due - shop.clock.now());
  return incident.next;
}

/** Leads one incident from the evaluation to where it comes to rest. */
export async function playCase(shop: Workshop, model: EmbeddedModel, index: number, one: HostileCase): Promise<string> {
  const id = await shop.aDue({ target: one.target, state: 'detected', next: 'evaluation' }, { code: 'A11' });
  if ('stored' in one) {
    await shop.ports.outcomes.save(id, 1, 1, one.stored as RemediationOutcome);
  }
  const stages = stagesOf(shop, model, index, id);
  let stage: QueueName | undefined = 'evaluation';
  for (let turn = 0; turn < MAX_TURNS && stage !== undefined; turn += 1) {
    await stages[stage]?.();
    stage = await nextStage(shop, id, one.isRed);
  }
  return id;
}
