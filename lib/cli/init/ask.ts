import { confirm, input, select } from '@inquirer/prompts';
import { FIELDS, findFault } from '#lib/domain/deployment/describe-fields.ts';
import type { CliIo } from '../command.ts';
import { toPromptStreams } from '../confirm.ts';
import { type Answers, toValue } from './answers.ts';
import { type Question, TOPICS } from './questions.ts';

/** Asks on the terminal, each question after a line that explains it; an answer is checked before the next question. */
export async function ask(io: CliIo, stage: string, given: Answers): Promise<Answers> {
  const answers = new Map(given);
  for (const { gate, questions } of TOPICS) {
    if (gate !== undefined && ![...given.keys()].some((path) => path.startsWith(`${gate.path}.`))) {
      explain(io, gate.path);
      if (!(await confirm({ message: gate.message, default: false }, toPromptStreams(io)))) continue;
    }
    for (const question of questions.filter(({ path }) => !answers.has(path))) {
      explain(io, question.path);
      answers.set(question.path, toValue(question.path, await put(question, stage, io), stage));
    }
  }
  return answers;
}

const explain = (io: CliIo, path: string): void => void io.stderr.write(`\n${FIELDS.get(path)?.description ?? ''}\n`);

function put({ path, message, fallback, choices }: Question, stage: string, io: CliIo): Promise<string> {
  if (choices !== undefined) {
    const options = choices.map((value) => ({ value, name: value }));
    return select(
      { message, choices: options, ...(fallback === undefined ? {} : { default: fallback }) },
      toPromptStreams(io),
    );
  }
  const validate = (text: string): true | string => {
    const fault = findFault(path, toValue(path, text, stage), stage);
    return fault === undefined ? true : `It ${fault}.`;
  };
  return input({ message, validate, ...(fallback === undefined ? {} : { default: fallback }) }, toPromptStreams(io));
}
