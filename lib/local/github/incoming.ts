/** A request as the front received it. */
export interface Incoming {
  readonly method: string;
  /** Path with its query. */
  readonly path: string;
  readonly authorization: string | undefined;
  readonly accept: string;
  readonly body: Buffer;
}
