import type { AttributionRule } from './attribution.ts';

/** What one rule claimed for a play. */
export interface RuleShare {
  readonly rule: AttributionRule;
  readonly pods: number;
  /** Lines of the last look in which each of the pods spoke. */
  readonly lines: number;
}

/** Why lines belong to a play, and which pods of its namespace belong to none. */
export interface AttributionView {
  readonly rules: readonly RuleShare[];
  /** Pods of the last look at the namespace; at most 20 names. */
  readonly unclaimed: { readonly count: number; readonly pods: readonly string[] };
  /** What to change when the play has no pod although others speak; else null. */
  readonly advice: string | null;
}

const ADVICE =
  'No rule claimed a pod for this play, and other pods of the namespace speak. Give the pods a label whose value is the ' +
  'play_id, let their names begin with the play_id, or label them with the service and task-id that the session declares.';

/** @param unclaimed of the last look; null before the first one */
export function toAttributionView(
  pods: readonly { readonly rule?: AttributionRule; readonly lines?: number }[],
  unclaimed: AttributionView['unclaimed'] | null,
): AttributionView {
  const byRule = Map.groupBy(
    pods.filter((pod) => pod.rule !== undefined),
    (pod) => pod.rule as AttributionRule,
  );
  const rules = [...byRule].map(([rule, claimed]) => ({
    rule,
    pods: claimed.length,
    lines: claimed.reduce((total, { lines = 0 }) => total + lines, 0),
  }));
  const rest = unclaimed ?? { count: 0, pods: [] };
  return { rules, unclaimed: rest, advice: pods.length === 0 && rest.count > 0 ? ADVICE : null };
}
