/** The five queues, in the order of the flow. */
export const QUEUES = ['window', 'evidence', 'evaluation', 'publication', 'remediation'] as const;
export type QueueName = (typeof QUEUES)[number];

/** The words that name a stage at every layer, in the order of the flow. */
export type StageName = 'session' | 'window' | 'detection' | 'evidence' | 'evaluation' | 'publication' | 'remediation';

/** One deployed function of the chain: what wakes it, and which queues it sends to. */
export interface Stage {
  readonly stage: StageName;
  /** Name in `serverless.yml`; the entry point is `functions/<name>.ts`. */
  readonly function: string;
  readonly consumes: QueueName | 'http' | 'authorizer' | 'schedule' | 'invoke';
  readonly produces: readonly QueueName[];
}

/**
 * The whole chain as data; `test/flow.test.ts` compares it with `serverless.yml` and `functions/`. A stage is wholly
 * present there or wholly absent. `detect` feeds its own queue once, with the looks that follow a new pod; `remediate`
 * hands its patch back to the only writer, `publish`.
 */
export const FLOW: readonly Stage[] = [
  { stage: 'session', function: 'session-write', consumes: 'http', produces: ['window'] },
  { stage: 'session', function: 'session-read', consumes: 'http', produces: [] },
  { stage: 'session', function: 'authorize', consumes: 'authorizer', produces: [] },
  { stage: 'window', function: 'sweep', consumes: 'schedule', produces: [...QUEUES] },
  { stage: 'detection', function: 'detect', consumes: 'window', produces: ['window', 'evidence'] },
  { stage: 'evidence', function: 'gather', consumes: 'evidence', produces: ['evaluation'] },
  { stage: 'evaluation', function: 'evaluate', consumes: 'evaluation', produces: ['publication'] },
  { stage: 'publication', function: 'publish', consumes: 'publication', produces: ['remediation'] },
  { stage: 'publication', function: 'github-token', consumes: 'invoke', produces: [] },
  { stage: 'publication', function: 'webhook', consumes: 'http', produces: ['publication'] },
  { stage: 'remediation', function: 'remediate', consumes: 'remediation', produces: ['publication'] },
];

/**
 * Lambda stops a chain of functions and queues that feeds itself after about 16 hops; Healer's longest chain stays
 * under half of that.
 */
export const MAX_HOPS = 8;
