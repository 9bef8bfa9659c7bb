/** What the template and the code say about one deployed function. */
export interface FunctionFacts {
  readonly memoryMb: number;
  readonly timeoutS: number;
  /** Null: as many as the account allows. */
  readonly maxConcurrency: number | null;
  /** Whether a queue wakes it. */
  readonly isQueueFed: boolean;
}

/** What a cost depends on and a template decides. */
export interface TemplateFacts {
  readonly functions: Readonly<Record<string, FunctionFacts>>;
  readonly sweepEveryS: number;
  /** Metrics that standard alarms look at, each billed. */
  readonly alarmMetrics: number;
  readonly dashboards: number;
  /** Custom metrics that a stage at work writes each hour. */
  readonly metrics: number;
  /** Those that it writes besides where a model is asked. */
  readonly modelMetrics: number;
}
