import { vi } from 'vitest';

interface LogEvent {
  readonly level: string;
  readonly message: string;
  readonly outcome?: string;
  readonly advice?: string;
}

/** Runs the work, and returns the log events with an advice that functions wrote in the meantime. */
export async function advising(work: () => Promise<unknown>): Promise<readonly LogEvent[]> {
  const written: string[] = [];
  const keep = (chunk: unknown) => written.push(String(chunk)) > 0;
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(keep),
    vi.spyOn(process.stderr, 'write').mockImplementation(keep),
  ];
  try {
    await work();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const events = written.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogEvent);
  return events.filter(({ advice }) => advice !== undefined);
}
