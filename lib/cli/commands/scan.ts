import { systemClock } from '#lib/adapters/system/clock.ts';
import { Scan, type ScanResult } from '#lib/app/scan-logs.ts';
import { createRedactor } from '#lib/domain/redaction/redactor.ts';
import type { CliIo, Command } from '../command.ts';
import { readCall, type ScanCall } from '../scan/options.ts';
import { nameOf } from '../scan/read-log.ts';
import { renderReport } from '../scan/render-report.ts';
import { type Report, toReport } from '../scan/report.ts';
import { toReportJson } from '../scan/report-json.ts';
import { printCases } from '../scan/scan-cases.ts';
import { scanFiles } from '../scan/scan-files.ts';
import { scanLoki } from '../scan/scan-loki.ts';
import { knownSecrets } from '../scan/secrets.ts';
import { toStyle } from '../scan/style.ts';

const HELP = `Usage: healer scan FILE… | -
       healer scan --loki URL [--since 24h]
       healer scan --cases FILE

Tells what Healer would have filed about the logs of agents. It only reads:
nothing is stored, filed or sent.

Input:
  FILE…, -           plain text, kubectl logs, JSON lines, Loki answers, gzip
  --format FORMAT    plain, kubectl, jsonl or loki; else told by the content
  --running          the pods still run: the end of the log is not their end
  --loki URL         pull the logs from Loki
    --namespace NAME   (cto)      --selector '{app="coderun"}'  instead of it
    --tenant NAME      (LOKI_ORG_ID)
    --user NAME        (LOKI_USERNAME; the password is LOKI_PASSWORD,
                       a token LOKI_BEARER_TOKEN)
  --since, --until   24h, 90m, 7d before now, or 2026-01-08T16:00:00Z
  --session FILE     the JSON of POST /session/start: tools and servers that
                     were declared are compared with those that are offered
  --repository, --platform-repository   owner/name: where issues would go
  --cases FILE       labelled cases: one JSON line of findings a case

Output:
  --severity LEVEL   critical, high, medium or low (low): this and above
  --json             one JSON document: docs/scan.schema.generated.json

Exit code: 0 nothing found, 1 findings, 2 bad input or usage.

Example:
  npx healer scan test/corpus/samples/*.log
`;

async function run(args: readonly string[], io: CliIo): Promise<number> {
  const call = await readCall(args, systemClock.now());
  if (call.cases !== null) return printCases(call.cases, call, io);
  const report = call.loki === null ? await reportFiles(call, io) : await reportLoki(call, io);
  const hasRead = report.result.lines > 0;
  if (call.isJson) io.stdout.write(`${JSON.stringify(toReportJson(report), null, 2)}\n`);
  else if (hasRead || report.faults.length === 0) io.stdout.write(renderReport(report, toStyle(io)));
  for (const fault of report.faults) io.stderr.write(`healer: ${fault}\n`);
  if (report.faults.length > 0) return 2;
  return report.incidents.length > 0 ? 1 : 0;
}

const newScan = ({ session, repository, platformRepository }: ScanCall, io: CliIo): Scan =>
  new Scan(
    { redactor: createRedactor({ known: knownSecrets(io.env) }), clock: systemClock },
    { session, repository, platformRepository },
  );

async function reportFiles(call: ScanCall, io: CliIo): Promise<Report> {
  const scan = newScan(call, io);
  const read = await scanFiles(scan, call, io);
  const result = await scan.finish({ kind: 'ended', pods: !call.isRunning && !io.signal.aborted });
  return toReport({ ...parts(call, result), ...read, gaps: [], sources: call.files.map(nameOf) });
}

async function reportLoki(call: ScanCall, io: CliIo): Promise<Report> {
  const scan = newScan(call, io);
  const { until, ...read } = await scanLoki(scan, call, io);
  const result = await scan.finish({ kind: 'until', until });
  return toReport({ ...parts(call, result), ...read });
}

const parts = ({ severity, session }: ScanCall, result: ScanResult) => ({
  result,
  severity,
  hasSession: session !== null,
});

export const command: Command = {
  summary: 'what Healer would have told you about these logs',
  help: HELP,
  run,
};
