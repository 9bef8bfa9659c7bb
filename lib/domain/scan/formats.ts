import { isObject } from '../detection/event.ts';

/** How the lines of a log are wrapped. `plain` is what a container printed; `kubectl`, `jsonl` and `loki` add pod and time. */
export const FORMATS = ['plain', 'kubectl', 'jsonl', 'loki'] as const;
export type Format = (typeof FORMATS)[number];

/** `[pod/NAME/CONTAINER] ` as `kubectl logs --prefix` puts it. */
export const POD_PREFIX = /^\[pod\/([^/\]\s]{1,253})\/([^/\]\s]{1,63})\] ?/;
/** Kubernetes prints nine digits of a second, always; loggers print three or six. */
const KUBELET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}(?:Z|[+-]\d\d:\d\d) (?!(?:stdout|stderr) [FP] )/;

const SAMPLE = 50;
/** A format is taken when so large a part of the first lines has it; the others are parts of messages. */
const MOST = 0.6;

const LOKI = /^\s*\{[\s\S]{0,400}?"resultType"\s*:/;
const CASES = /^\s*\{"id":"[^"]{1,200}".{0,2000}?"lines":\s?\[\{"t":/;

/** True for the labelled cases of the corpus, which are no log. */
export const isCases = (head: string): boolean => CASES.test(head);

/** The format by the first part of the content, which may end in the middle of a line. */
export function sniffFormat(head: string): Format {
  if (LOKI.test(head)) return 'loki';
  const lines = head.split('\n').filter((line) => line.trim() !== '');
  const sample = (lines.length > 1 && !head.endsWith('\n') ? lines.slice(0, -1) : lines).slice(0, SAMPLE);
  const share = (test: (line: string) => boolean): number => sample.filter(test).length / Math.max(1, sample.length);
  if (share(isJsonLine) >= MOST) return 'jsonl';
  if (share((line) => POD_PREFIX.test(line) || KUBELET_TIME.test(line)) >= MOST) return 'kubectl';
  return 'plain';
}

function isJsonLine(line: string): boolean {
  if (!line.trimStart().startsWith('{')) return false;
  try {
    const json: unknown = JSON.parse(line);
    return (
      isObject(json) && typeof json['line'] === 'string' && ['time', 'timestamp', 'pod'].some((key) => key in json)
    );
  } catch {
    return false;
  }
}
