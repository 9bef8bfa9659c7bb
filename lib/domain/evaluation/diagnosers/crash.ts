import type { EvidencePiece } from '../../evidence/evidence-pack.ts';
import { arg, describePod, kubectl, nextLog, podEvents, podOf, runAgain } from '../commands.ts';
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

/** A panic that ends with a colon says why in the line after it, which collectors store as an entry of its own. */
function nextLine({ anchor, context }: Subject): string | undefined {
  if (anchor?.at == null || !/:\s*$/.test(anchor.text)) return undefined;
  const since = Date.parse(anchor.at);
  const isNext = ({ kind, pod, at }: EvidencePiece): boolean =>
    kind === 'log' && pod === anchor.pod && at !== null && Date.parse(at) >= since && Date.parse(at) < since + 100;
  const line = context.find((piece) => isNext(piece) && !/^\s*(?:note|stack backtrace):/.test(piece.text))?.text;
  return line?.replaceAll('`', "'").trim().slice(0, 120);
}

const isHealthy = (subject: Subject, what: string): readonly Step[] => [
  runAgain(subject, `the run must pass the point of the ${what} and end with a result event.`),
  nextLog(subject),
];

/** `panicked at` and Go's `panic:`: a program stopped itself because of a fault in its own code. */
export const explainPanic = (subject: Subject): Explanation => explainCrash(subject, 'panic', 'panicked');

/** `fatal error`, aborts and unhandled exceptions. */
export const explainFatal = (subject: Subject): Explanation =>
  explainCrash(subject, 'fatal error', 'ended with a fatal error');

function explainCrash(subject: Subject, noun: string, verb: string): Explanation {
  const place = placeIn(subject);
  const message = named(subject, 'message', 'error') ?? messageIn(subject) ?? nextLine(subject);
  const says = message === undefined ? '' : ` with ${code(message)}`;
  return {
    summary: `${subject.who} crashed: a program ${verb}${says}${place === undefined ? '' : ` at ${code(place)}`}. The run did not finish by itself and its last work may not be pushed. Save the log first, then look whether this version of the program is known for it.`,
    cause: [
      noun === 'panic'
        ? 'A program of the run stopped itself at a fault in its own code.'
        : 'A program of the run ended at an error that it does not handle.',
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
    found(
      subject,
      /exec: \\?"([^"\\\s]{1,120})\\?": /,
      /([\w./-]{1,80}): (?:command )?not found/i,
      /spawn (\S{1,120}) ENOENT/,
    );
  const isPackage = named(subject, 'package') !== undefined;
  return {
    summary: `${subject.who} cannot ${isPackage ? 'install' : 'start'} ${program === undefined ? 'a program that it needs' : code(program)}. Every task that needs it fails in the same way until the agent image has it.`,
    cause: [
      'The agent called a program or package that is not there.',
      lineSays(subject),
      ...(program === undefined ? [] : [`What is missing is ${code(program)}.`]),
    ],
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

/** A container ended badly and nothing says why. */
export function explainExit(subject: Subject): Explanation {
  const status =
    named(subject, 'code', 'exitCode', 'status') ??
    found(subject, /exit(?:ed)?[ _-]?(?:code|status|with)?["': =]{0,4}(\d{1,3})\b/i);
  return {
    summary: `${subject.who} ended without finishing${status === undefined ? '' : ` (exit code ${code(status)})`}, and no line before it says why. 137 means killed from outside (often memory), 143 asked to stop, 126 and 127 a program that cannot be run or found. Read the end of the container first.`,
    cause: [
      'A process of the run ended badly and left no reason in the log.',
      lineSays(subject),
      ...(status === undefined ? [] : [`The exit code is "${status}".`]),
    ],
    remedy: [
      describePod(subject),
      {
        text: 'Read the last words of the container that ended.',
        command: kubectl(
          subject,
          `logs ${podOf(subject)} --previous --timestamps --tail=100 || ${kubectl(subject, `logs ${podOf(subject)} --timestamps --tail=100`)}`,
        ),
      },
      podEvents(subject),
    ],
    verify: [runAgain(subject, 'the containers must end with exit code 0.')],
    unseen: ['The log does not say why the process ended.'],
    confidence: 'likely',
  };
}
