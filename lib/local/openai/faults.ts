/** What can go wrong on a model's side, switched on while it runs. */
export type ModelFaultKind =
  /** Nothing is ever answered. */
  | { readonly kind: 'hang' }
  /** The connection breaks without an answer. */
  | { readonly kind: 'disconnect' }
  | { readonly kind: 'status'; readonly status: number; readonly code?: string }
  | { readonly kind: 'rate-limit'; readonly retryAfterSeconds?: number }
  /** A proxy's page with status 200. */
  | { readonly kind: 'html' }
  | { readonly kind: 'refuse' }
  /** The content filter stops the answer. */
  | { readonly kind: 'filter' }
  /** The answer breaks off at its limit of tokens. */
  | { readonly kind: 'truncate' }
  /** The content is no JSON. */
  | { readonly kind: 'nonsense' }
  /** JSON of a shape that nobody asked for. */
  | { readonly kind: 'wrong-schema' }
  /** Content of this many bytes. */
  | { readonly kind: 'huge'; readonly bytes?: number }
  /** These figures in the place of the counted ones; undefined leaves them out. */
  | { readonly kind: 'usage'; readonly usage?: unknown };

export type ModelFault = ModelFaultKind & {
  /** Name of the schema whose requests are hit; absent hits all. */
  readonly schema?: string;
  /** How often it happens; absent is until it is switched off. */
  readonly times?: number;
};

export interface ModelFaults {
  /** Switches a fault on; the function returned switches it off. */
  add(fault: ModelFault): () => void;
  clear(): void;
}

/** The switched-on faults, asked for each request: the first that matches happens, and is used up by one. */
export function modelFaultSwitches() {
  let active: { fault: ModelFault; left: number }[] = [];
  return {
    add(fault: ModelFault) {
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY };
      active.push(entry);
      return () => {
        active = active.filter((other) => other !== entry);
      };
    },
    clear() {
      active = [];
    },
    take(schema: string | undefined): ModelFault | undefined {
      const isHit = ({ fault, left }: (typeof active)[number]) =>
        left > 0 && (fault.schema === undefined || fault.schema === schema);
      const entry = active.find(isHit);
      if (entry !== undefined) entry.left -= 1;
      return entry?.fault;
    },
  };
}
