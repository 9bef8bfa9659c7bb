import * as z from 'zod';
import { InputError } from '#lib/domain/errors.ts';
import { scanCase } from '#lib/domain/scan/scan-case.ts';
import { rankOf } from '#lib/domain/scan/scan-incident.ts';
import type { CliIo } from '../command.ts';
import { parseSession, type ScanCall } from './options.ts';
import { openInput } from './read-input.ts';
import { splitWhole } from './split-lines.ts';

const CaseLine = z.object({
  id: z.string().min(1),
  start: z.string().refine((text) => !Number.isNaN(Date.parse(text)), 'must be a moment such as 2026-01-08T16:04:11Z'),
  agents_start: z.record(z.string(), z.number()).optional(),
  session: z.unknown().optional(),
  lines: z.array(z.object({ t: z.number(), pod: z.string(), container: z.string().nullish(), line: z.string() })),
});

/** Prints what detection finds in each labelled case: one JSON line a case. Returns the exit code. */
export async function printCases(path: string, call: ScanCall, io: CliIo): Promise<number> {
  const { chunks } = await openInput(path, path, io.stdin, () => {});
  let found = 0;
  let number = 0;
  for await (const line of splitWhole(chunks)) {
    number += 1;
    if (line.trim() === '') continue;
    if (io.signal.aborted) throw new InputError(`Stopped by Ctrl-C at line ${number} of ${path}.`);
    const findings = scanCase(parseCase(line, `${path}, line ${number}`)).filter(
      ({ severity }) => rankOf(severity) <= rankOf(call.severity),
    );
    found += findings.length;
    const id = (JSON.parse(line) as { id: string }).id;
    io.stdout.write(`${JSON.stringify({ id, findings })}\n`);
  }
  return found > 0 ? 1 : 0;
}

/** @throws InputError that names the line and the field. */
function parseCase(line: string, name: string) {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new InputError(`${name} is not JSON; expected a case such as {"id":"c042","start":"…","lines":[…]}.`);
  }
  const parsed = CaseLine.safeParse(json);
  if (!parsed.success) {
    const faults = parsed.error.issues.slice(0, 3).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
    throw new InputError(`${name} is not a case; ${faults.join('; ')}.`);
  }
  const { session, ...rest } = parsed.data;
  return { ...rest, session: session === undefined ? null : parseSession(session, `${name}, its session,`) };
}
