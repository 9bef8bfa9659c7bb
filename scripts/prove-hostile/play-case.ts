import { openAiModel } from '#lib/adapters/openai/openai-model.ts';
import { evaluateIncident } from '#lib/app/evaluate-incident.ts';
import { FIX_LABEL } from '#lib/domain/remediation/modes.ts';
import type { RemediationOutcome } from '#lib/domain/remediation/remediation.ts';
import type { QueueName } from '#lib/flow.ts';
import type { EmbeddedModel } from '#lib/local/openai/start-model.ts';
import { anAnalyst } from '#test/support/an-analyst.ts';
import type { Workshop } from '#test/support/remediation.ts';
import { PEOPLE } from './ground.ts';
import type { HostileCase } from './hostile-cases.ts';

/** Stages that one incident goes through at most: three patches, each with its looks. */
const MAX_TURNS = 16;

const limits = { signal: new AbortController().signal, remainingMs: () => 240_000 };
const budgets = { reserve: async () => ({ granted: true }) as const, settle: async () => undefined };

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

/** What came of a case. */
export interface Played {
  readonly id: string;
  /** Who labelled a proposal that waited, if one did. */
  readonly labelledBy: HostileCase['labelledBy'];
}

/** Leads one incident from the evaluation to where it comes to rest; a proposal that waits there is labelled. */
export async function playCase(shop: Workshop, model: EmbeddedModel, index: number, one: HostileCase): Promise<Played> {
  const id = await shop.aDue({ target: one.target, state: 'detected', next: 'evaluation' }, { code: 'A11' });
  if ('stored' in one) {
    await shop.ports.outcomes.save(id, 1, 1, one.stored as RemediationOutcome);
  }
  const stages = stagesOf(shop, model, index, id);
  const lead = async (from: QueueName): Promise<void> => {
    let stage: QueueName | undefined = from;
    for (let turn = 0; turn < MAX_TURNS && stage !== undefined; turn += 1) {
      await stages[stage]?.();
      stage = await nextStage(shop, id, one.isRed);
    }
  };
  await lead('evaluation');
  const isLabelled = one.labelledBy !== null && (await letOut(shop, id, one, PEOPLE[one.labelledBy].token));
  if (isLabelled) await lead('publication');
  return { id, labelledBy: isLabelled ? one.labelledBy : null };
}

/** Sets the label where a proposal waits, and moves the clock on to the next look. */
async function letOut({ github, ports, clock }: Workshop, id: string, { target }: HostileCase, token: string) {
  const incident = await ports.incidents.get(id);
  const isWaiting = incident?.state === 'reported' && incident.issue !== null && incident.pull === null;
  const note = `\`hold-1-1\` · incident \`${id}\``;
  const held = github
    .requests()
    .some(({ path, body }) => path.endsWith('/comments') && (body as { body?: string } | null)?.body?.includes(note));
  if (!isWaiting || !held) return false;
  const answer = await fetch(`${github.url}/repos/${target}/issues/${incident.issue.number}/labels`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, accept: 'application/vnd.github+json' },
    body: JSON.stringify({ labels: [FIX_LABEL] }),
  });
  if (answer.status !== 200) throw new Error(`the label was answered with ${answer.status}`);
  clock.offset += Math.max(0, (incident.due ?? 0) - clock.now());
  return true;
}
