import { arg, describePod, kubectl, podOf, readLog, runAgain } from '../commands.ts';
import type { Step } from '../diagnosis.ts';
import { type Explanation, lineSays } from '../explanation.ts';
import { code, found, named, type Subject } from '../subject.ts';

/** Source place as panics and traces print it: `src/main.rs:42:7`, `handler.go:250`, `File "agent.py", line 7`. */
const placeIn = (subject: Subject): string | undefined =>
  found(
    subject,
    /([\w./-]{1,200}\.(?:rs|go|py|js|ts|mjs|java|c|cc|cpp|rb):\d{1,7}(?::\d{1,5})?)/,
    /File "([^"]{1,200})", line \d+/,
  );

const messageIn = (subject: Subject): string | undefined =>
  found(
    subject,
    /panicked at ['"]([^'"\n]{1,160})['"]/,
    /panicked at [^\n]{1,200}?:\d+:\d+:?\s*\n?\s*([^\n]{3,160})/,
    /\bpanic:\s*([^\n]{3,160})/i,
    /fatal error:\s*([^\n]{3,160})/i,
    /\bFATAL(?: ERROR)?:?\s+([^\n]{3,160})/,
  );

const isHealthy = (subject: Subject, what: string): readonly Step[] => [
  runAgain(subject, `the run must pass the point of the ${what} and end with a result event.`),
  readLog(subject),
];

/** `panicked at` and Go's `panic:`: a program stopped itself because of a fault in its own code. */
export const explainPanic = (subject: Subject): Explanation => explainCrash(subject, 'panic', 'panicked');

/** `fatal error`, aborts and unhandled exceptions. */
export const explainFatal = (subject: Subject): Explanation =>
  explainCrash(subject, 'fatal error', 'ended with a fatal error');

function explainCrash(subject: Subject, noun: string, verb: string): Explanation {
  const place = placeIn(subject);
  const message = named(subject, 'message', 'error') ?? messageIn(subject);
  const says = message === undefined ? '' : ` with ${code(message)}`;
  return {
    summary: `${subject.who} crashed: a program ${verb}${says}${place === undefined ? '' : ` at ${code(place)}`}. The run did not finish by itself and its last work may not be pushed. Save the log first, then look whether this version of the program is known for it.`,
    cause: [
      lineSays(subject),
      ...(place === undefined ? [] : [`The crash is reported at ${code(place)}.`]),
      ...(message === undefined || message.length < 3 ? [] : [`Its message is ${code(message)}.`]),
    ],
    remedy: [
      {
        text: 'Save the whole log before the pod is removed.',
        command: kubectl(subject, `logs ${podOf(subject)} --all-containers --timestamps > ${podOf(subject)}.log`),
      },
      describePod(subject),
      {
        text: 'See which image ran, and search the issues of that program for the message and the place.',
        command: kubectl(subject, `get pod ${podOf(subject)} -o jsonpath='{.spec.containers[*].image}{"\\n"}'`),
      },
      {
        text: `If the place lies in the play's own code, reproduce it in a checkout of ${arg(subject.pack.repository, 'repository')} and fix it there; if it lies in the agent's CLI, go back to the last version that ran.`,
      },
      { text: "Look at the agent's branch for work that was not pushed, then start the task again." },
    ],
    verify: isHealthy(subject, noun),
    unseen: place === undefined ? ['The log does not name the place in the code.'] : [],
    confidence: 'certain',
  };
}

/** A program that the agent needs is not there, or a package of it cannot be installed. */
export function explainProgram(subject: Subject): Explanation {
  const program =
    named(subject, 'command', 'package', 'name') ??
    found(subject, /([\w./-]{1,80}): (?:command )?not found/i, /spawn (\S{1,120}) ENOENT/);
  const isPackage = named(subject, 'package') !== undefined;
  return {
    summary: `${subject.who} cannot ${isPackage ? 'install' : 'start'} ${program === undefined ? 'a program that it needs' : code(program)}. Every task that needs it fails in the same way until the agent image has it.`,
    cause: [lineSays(subject), ...(program === undefined ? [] : [`What is missing is ${code(program)}.`])],
    remedy: [
      {
        text: 'See which image runs, and look for the program in it.',
        command: kubectl(
          subject,
          `exec ${podOf(subject)} -- sh -c 'command -v ${arg(program, 'program')}; echo "$PATH"'`,
        ),
      },
      {
        text: isPackage
          ? 'Install the package in the agent image, or give the agent a way to the package index.'
          : 'Install the program in the agent image, or correct its path where it is called.',
      },
    ],
    verify: isHealthy(subject, 'missing program'),
    confidence: 'certain',
  };
}
