import { HealerError } from '#lib/domain/errors.ts';
import { SourcesAnswer } from '#lib/domain/probe.ts';
import { closeWard, openWard } from '../doctor/aws.ts';
import { invokeProbe } from '../doctor/invoke-probe.ts';
import type { FoundStage } from '../stage/stage.ts';

/** Whether the selector matches a stream of the last 24 hours; undefined when it is not known, for a reason. */
export type StreamSight = { readonly isMatched: boolean } | { readonly isMatched: undefined; readonly reason: string };

/** Asks the deployed `detect` for streams of a namespace. A stage that cannot be asked is no fault of what is tested. */
export async function findStreams(stage: FoundStage, namespace: string): Promise<StreamSight> {
  const ward = openWard(stage);
  try {
    const { logs } = await invokeProbe(ward, 'detect', SourcesAnswer, { namespaces: [namespace] });
    const found = logs.namespaces.find(({ name }) => name === namespace);
    if (found !== undefined) return { isMatched: found.isMatched };
    return { isMatched: undefined, reason: logs.trouble?.reason ?? 'detect did not look for it' };
  } catch (error) {
    if (!(error instanceof HealerError)) throw error;
    return { isMatched: undefined, reason: error.message };
  } finally {
    closeWard(ward);
  }
}
