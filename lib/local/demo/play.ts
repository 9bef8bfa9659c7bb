/** One line of a pod, in seconds since the play's start. */
export interface DemoLine {
  readonly at: number;
  readonly pod: string;
  readonly line: string;
}

/** A recorded play: what the MCP server announces, what the pods write, and what Healer must make of it. */
export interface DemoPlay {
  readonly name: string;
  /** Body of `POST /api/v1/session/start`. */
  readonly announcement: { readonly play_id: string; readonly repository: string; readonly [field: string]: unknown };
  readonly lines: readonly DemoLine[];
  /** How the MCP server ends the play, in seconds since its start. */
  readonly end: { readonly at: number; readonly status: 'completed' | 'failed' };
  /** The incident that must stand as an issue; null: nothing may be filed. */
  readonly expected: { readonly code: string | null; readonly severity: string; readonly names: string } | null;
}

/** Lines of one pod from pairs of second and text. */
export const ofPod = (pod: string, ...lines: readonly (readonly [at: number, line: string])[]): DemoLine[] =>
  lines.map(([at, line]) => ({ at, pod, line }));

/** An event of an agent's stream, as the CLI prints it. */
export const event = (fields: object): string => JSON.stringify(fields);
