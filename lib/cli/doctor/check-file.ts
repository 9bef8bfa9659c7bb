import { ConfigError } from '#lib/domain/errors.ts';
import { type FoundStage, stackOf } from '../stage/stage.ts';
import { type Finding, unknown, wrong } from './finding.ts';

const UNSEEN = 'secrets, the GitHub App and what is configured are not looked at';

/** The stage's file is at hand and right; nothing is said of one that is. */
export function toFileFindings({ name, lack }: FoundStage): readonly Finding[] {
  if (lack === null) return [];
  const { message } = lack.error;
  if (lack.kind === 'missing') return [unknown('file', message, `Without it ${UNSEEN}; --folder says where it is.`)];
  const [first = ''] = message.split('\n');
  const advice = `npx healer config --stage ${name} says what to write; until then ${UNSEEN}.`;
  return [wrong('file', first.replace(/:$/, ''), advice)];
}

/**
 * Ends the examination of a stage of which there is no stack, or of which AWS cannot be asked, with what is known of its file.
 * @throws ConfigError that names both where the file is missing; else the fault as it is
 */
export function failWithoutFile(stage: FoundStage, fault: unknown): never {
  const { lack, region } = stage;
  if (lack?.kind !== 'missing' || !(fault === null || fault instanceof ConfigError)) throw fault;
  const { message } = lack.error;
  const stack = `the stack ${stackOf(stage)} in ${region}`;
  if (fault !== null)
    throw new ConfigError(`${message}; nor can ${stack} be asked for: ${fault.message}`, { cause: fault });
  throw new ConfigError(
    `${message}; nor is there ${stack}: where the stage is another one, name it with --stage, --folder and --region`,
  );
}
