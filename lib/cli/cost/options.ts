import { parseArgs } from 'node:util';
import type { TemplateFacts } from '#lib/domain/cost/facts.ts';
import { type Load, parseLoad } from '#lib/domain/cost/load.ts';
import { type Deployment, parseDeployment } from '#lib/domain/deployment/deployment.ts';
import { fileOf } from '#lib/domain/deployment/stage.ts';
import { hasDeployment, readDeployment, sayPlace } from '../deployment-file.ts';
import { parseStage, toStageName } from '../stage/stage.ts';
import { readFacts } from './read-facts.ts';

/** What `healer cost` and `healer quotas` are asked for. */
export interface CostQuestion {
  readonly load: Load;
  readonly deployment: Deployment;
  readonly region: string;
  readonly facts: TemplateFacts;
  /** Where the configuration comes from, in words. */
  readonly origin: string;
  readonly isJson: boolean;
}

/** The options of both, for their help texts. */
export const LOAD_HELP = `  --sessions N            active at the same time, all month (default: 100)
  --namespaces N          that they share (default: one for each 200)
  --session-minutes N     how long one lasts (default: 240)
  --lines-per-minute N    of one session (default: 600)
  --incidents-per-day N   of the deployment, new ones (default: 0.05 a session)
  --reads-per-session N   requests that look at one (default: 1)
  --stage STAGE           whose healer.<stage>.yml (default: HEALER_STAGE, else
                          dev); without the file its defaults
  --region REGION         what if it were there, whatever the file says
  --folder FOLDER         where the file is (default: here)
  --json                  prints JSON`;

const OPTIONS = {
  sessions: { type: 'string' },
  namespaces: { type: 'string' },
  'session-minutes': { type: 'string' },
  'lines-per-minute': { type: 'string' },
  'incidents-per-day': { type: 'string' },
  'reads-per-session': { type: 'string' },
  stage: { type: 'string' },
  region: { type: 'string' },
  folder: { type: 'string', default: '.' },
  json: { type: 'boolean', default: false },
} as const;

/** The fields that have no default: they decide nothing of the cost. */
const LEAST = { repositories: { allowed: ['owner/*'] }, loki: { url: 'https://loki.example.com' } } as const;

/** @throws InputError for numbers that cannot be, ConfigError for a wrong file, UsageError for other words */
export async function parseQuestion(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<CostQuestion> {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  const load = parseLoad({
    sessions: values.sessions,
    namespaces: values.namespaces,
    sessionMinutes: values['session-minutes'],
    linesPerMinute: values['lines-per-minute'],
    incidentsPerDay: values['incidents-per-day'],
    readsPerSession: values['reads-per-session'],
  });
  const stage = toStageName(values, env);
  const file = fileOf(stage);
  const isThere = await hasDeployment(stage, values.folder);
  const deployment = isThere ? await readDeployment(stage, values.folder) : parseDeployment(LEAST, stage);
  return {
    load,
    deployment,
    // Nothing is asked for there: another region than the file's is a what-if.
    region: values.region === undefined ? deployment.region : parseStage(values, env).region,
    facts: readFacts(),
    origin: isThere ? file : `no ${file} ${sayPlace(values.folder)}, so its defaults`,
    isJson: values.json,
  };
}
