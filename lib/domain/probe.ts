import * as z from 'zod';

/**
 * What `healer doctor` asks a deployed function, and what that answers: what can be seen from inside. An answer holds no
 * secret and nothing of what is logged; sentences are Healer's own, or an error text of the system that was asked.
 */

/** More namespaces are not looked at: a probe ends within the function's time. */
export const MOST_NAMESPACES = 3;

/** As Kubernetes names a namespace (RFC 1123 label). */
const Namespace = z.string().regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/);

export const ProbeRequest = z.strictObject({
  healer: z.literal('probe'),
  /** Namespaces to look at; without any, some that the logs know. */
  namespaces: z.array(Namespace).max(MOST_NAMESPACES).default([]),
});
export type ProbeRequest = z.infer<typeof ProbeRequest>;

/** What went wrong, and what an operator can do. */
const Trouble = z.object({ reason: z.string(), advice: z.string() });
export type Trouble = z.infer<typeof Trouble>;

const LogsSight = z.object({
  /** Why Loki could not be asked, or not to the end; the other fields hold what was seen before. */
  trouble: Trouble.nullable(),
  tenant: z.string().nullable(),
  /** Names of labels, at most 50. */
  labels: z.array(z.string()),
  /** Labels that the selector names and Loki does not have. */
  unknownLabels: z.array(z.string()),
  /** Namespaces that Loki knows, at most 20. */
  knownNamespaces: z.array(z.string()),
  /** Those that were looked at, and whether the selector matches a stream of them. */
  namespaces: z.array(z.object({ name: z.string(), isMatched: z.boolean() })),
  /** Whether entries tell their pod by the configured label or key; null when there was no entry to look at. */
  hasPodLabel: z.boolean().nullable(),
});
export type LogsSight = z.infer<typeof LogsSight>;

const ClusterProbeSight = z.object({
  /** Why the cluster could not be asked at all. */
  trouble: Trouble.nullable(),
  /** By namespace, the kinds of objects that the token may not read, or that the cluster does not know. */
  namespaces: z.array(z.object({ name: z.string(), unread: z.array(Trouble.extend({ resource: z.string() })) })),
});
export type ClusterProbeSight = z.infer<typeof ClusterProbeSight>;

/** Of `detect`. `at` is the function's clock, in milliseconds since the epoch. */
export const SourcesAnswer = z.object({ at: z.number(), logs: LogsSight, cluster: ClusterProbeSight.nullable() });
export type SourcesAnswer = z.infer<typeof SourcesAnswer>;

/** Of `evaluate` and `remediate`; null where no model is configured. */
export const ModelAnswerSight = z.object({
  at: z.number(),
  model: z.object({ name: z.string(), trouble: Trouble.nullable() }).nullable(),
});
export type ModelAnswerSight = z.infer<typeof ModelAnswerSight>;
