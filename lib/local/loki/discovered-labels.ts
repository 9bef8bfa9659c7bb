type Labels = Readonly<Record<string, string>>;

/** Loki's `discover_service_name`: the first of these labels names the service. */
const SERVICE_LABELS = [
  'service',
  'app',
  'application',
  'app_name',
  'name',
  'app_kubernetes_io_name',
  'container',
  'container_name',
  'k8s_container_name',
  'component',
  'workload',
  'job',
  'k8s_job_name',
];

/** The stream's labels with the `service_name` that Loki adds where it is missing. */
export function withServiceName(labels: Labels): Labels {
  if ('service_name' in labels) return labels;
  const source = SERVICE_LABELS.find((label) => labels[label]);
  return { ...labels, service_name: (source && labels[source]) || 'unknown_service' };
}

const LEVEL_KEYS = /^(level|severity|lvl|severity_text)$/i;
const LEVELS = new Map([
  ['trace', 'trace'],
  ['debug', 'debug'],
  ['fatal', 'fatal'],
  ['critical', 'critical'],
  ['error', 'error'],
  ['err', 'error'],
  ['warning', 'warn'],
  ['warn', 'warn'],
  ['information', 'info'],
  ['info', 'info'],
]);
const WORDS = [...LEVELS].map(([word, level]) => ({ level, word: new RegExp(`\\b${word}\\b`, 'i') }));
const IN_LINE = /(?:^|[\s,{])"?(?:level|severity|lvl|severity_text)"?\s*[:=]\s*"?(\w+)/i;

/** The `detected_level` that Loki adds to an entry's metadata: from a label, a field of the line, or a word in it. */
export function detectLevel(labels: Labels, metadata: Labels, line: string): string {
  const named = [...Object.entries(labels), ...Object.entries(metadata)].find(([key]) => LEVEL_KEYS.test(key))?.[1];
  const known = LEVELS.get((named ?? IN_LINE.exec(line)?.[1] ?? '').toLowerCase());
  return known ?? WORDS.find(({ word }) => word.test(line))?.level ?? 'unknown';
}
