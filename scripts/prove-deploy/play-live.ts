import { setTimeout as sleep } from 'node:timers/promises';
import { toNanos } from '#lib/domain/time.ts';
import type { DemoLine, DemoPlay } from '#lib/local/demo/play.ts';
import type { Deployment } from './deployment.ts';

/**
 * Writes each line of a play into Loki at its true time, and ends the play as its caller would.
 * @throws Error when Loki refuses a line or the API the end
 */
export async function playLive({ loki, api }: Deployment, play: DemoPlay): Promise<void> {
  const start = performance.now();
  const waitFor = (second: number) => sleep(Math.max(0, start + second * 1000 - performance.now()));
  for (const line of play.lines) {
    await waitFor(line.at);
    pushLine(loki, line, Date.now());
  }
  await waitFor(play.end.at);
  const path = `/api/v1/session/${play.announcement.play_id}/end`;
  const { status, body } = await api.ask('POST', path, { body: { status: play.end.status } });
  if (status !== 200) throw new Error(`POST ${path} answered ${status}: ${body}`);
}

/** Writes a line as the pod's agent would. @throws Error when Loki refuses it */
export function pushLine(loki: Deployment['loki'], { pod, line }: DemoLine, now: number): void {
  const stream = { namespace: 'cto', pod, container: 'agent' };
  const { refusals } = loki.push([{ stream, values: [[String(toNanos(now)), line]] }]);
  if (refusals.length > 0) throw new Error(`Loki refused a line: ${refusals.join('; ')}`);
}
