import { toVisibleLine } from '#lib/domain/publication/safe-text.ts';
import type { ScannedPod } from '#lib/domain/scan/scan-agents.ts';
import { renderIncident, toSpan } from './render-incident.ts';
import type { Report } from './report.ts';
import { count, type Style, wrap } from './style.ts';

const MOST_PODS = 20;

/** The report as text: incidents, most severe first, then what was read and what could not be seen. */
export function renderReport(report: Report, style: Style): string {
  const blocks = report.incidents.map((incident) => renderIncident(incident, style).join('\n'));
  return `${[...blocks, verdict(report, style), coverage(report, style), blind(report, style)].filter((part) => part !== '').join('\n\n')}\n`;
}

function verdict({ incidents, hidden, faults }: Report, style: Style): string {
  const below = hidden === 0 ? '' : ` (${hidden} less severe ${hidden === 1 ? 'one' : 'ones'} not shown)`;
  const partly = faults.length === 0 ? '' : ' in what could be read';
  if (incidents.length === 0) {
    const text = `Nothing found${partly}${below}. That is no proof that all went well: see below what could not be seen.`;
    return wrap(text, style.width).join('\n');
  }
  const critical = incidents.filter(({ severity }) => severity === 'critical').length;
  const filed = `${count(incidents.length, 'incident')}, ${critical} critical`;
  return style.bold(`Healer would have filed ${filed}${partly}${below}.`);
}

function coverage({ result, sources, bytes, gaps, notes }: Report, style: Style): string {
  const pods = result.pods.list;
  const named = sources.slice(0, 3).join(', ') + (sources.length > 3 ? ` and ${sources.length - 3} more` : '');
  const read = `${count(result.lines, 'line')} (${(bytes / 1e6).toFixed(1)} MB) of ${count(pods.length, 'pod')} from ${named}`;
  return [
    style.bold('Read'),
    ...bullets([read], style),
    ...pods.slice(0, MOST_PODS).flatMap((pod) => bullets([podLine(pod)], style)),
    ...(pods.length > MOST_PODS ? bullets([`and ${count(pods.length - MOST_PODS, 'more pod')}`], style) : []),
    ...bullets(
      gaps.map((gap) => `gap: ${gap}`),
      style,
    ),
    ...bullets(notes, style),
  ].join('\n');
}

function podLine({ pod, agent, cli, lines, firstNs, lastNs, tools, servers, result }: ScannedPod): string {
  const who = agent === null || agent === pod ? pod : `${agent} (${pod})`;
  const shown = [
    cli ?? 'plain text',
    count(lines, 'line'),
    firstNs === null || lastNs === null ? 'no times' : toSpan(firstNs, lastNs),
    ...(tools === null ? [] : [count(tools, 'tool')]),
    ...(servers === null ? [] : [count(Object.keys(servers).length, 'server')]),
    ...(result === null ? [] : [result === 'ok' ? 'closed without an error' : 'closed with an error']),
  ];
  return `${who}: ${shown.join(', ')}`;
}

function blind({ unseen }: Report, style: Style): string {
  return unseen.length === 0 ? '' : [style.bold('Not seen'), ...bullets(unseen, style)].join('\n');
}

function bullets(texts: readonly string[], style: Style): readonly string[] {
  return texts.flatMap((text) =>
    wrap(toVisibleLine(text), style.width - 4).map((line, i) => `${i === 0 ? '  - ' : '    '}${line}`),
  );
}
