import type { ModelCall } from '#lib/app/ask-model.ts';
import { logger } from '#lib/logger.ts';
import { measure } from '#lib/metrics.ts';

const MICROS = 1_000_000;

/** Writes a call of a model into the audit log and measures what it cost. */
export function tellModelCall(call: ModelCall): void {
  logger.info('model called', { ...call });
  if (call.outcome === 'over budget') measure('BudgetRefused');
  else measure('ModelSpend', call.microUsd / MICROS);
  if (call.dayShare !== null) measure('BudgetUsed', call.dayShare * 100);
}
