import { agentOf, arg, kubectl, nextLog, podOf, runAgain } from '../commands.ts';
import type { Step } from '../diagnosis.ts';
import { type Explanation, lineSays, type Statement } from '../explanation.ts';
import { code, fileIn, found, named, type Subject } from '../subject.ts';

/** What an agent lacks when its instructions are not complete. */
interface Lack {
  /** "its prompt template was not found". */
  readonly what: string;
  readonly thing: string | undefined;
  readonly thingIs: string;
  readonly effect: string;
  readonly first: string;
  readonly remedy: readonly Step[];
  readonly expect: string;
}

function explainLack(subject: Subject, lack: Lack): Explanation {
  const fact: readonly Statement[] = lack.thing === undefined ? [] : [`${lack.thingIs} ${code(lack.thing)}.`];
  return {
    summary: `${subject.who} works without proper instructions: ${lack.what}${lack.thing === undefined ? '' : ` (${code(lack.thing)})`}. ${lack.effect} ${lack.first}`,
    cause: [`The agent was started although ${lack.what}.`, lineSays(subject), ...fact],
    remedy: lack.remedy,
    verify: [runAgain(subject, lack.expect), nextLog(subject)],
    unseen: ['The prompt that the agent really got is not read by Healer.'],
    confidence: 'certain',
  };
}

const listMounted = (subject: Subject): Step => ({
  text: 'See which files the agent was given.',
  command: kubectl(
    subject,
    `get pod ${podOf(subject)} -o jsonpath='{range .spec.volumes[*]}{.name}{" "}{.configMap.name}{"\\n"}{end}'`,
  ),
});

const listKeys = (subject: Subject): Step => ({
  text: 'See which files that ConfigMap holds, with the name from the step before.',
  command: kubectl(subject, `get configmap CONFIGMAP -o json | jq '.data | map_values(length)'`),
});

/** `template not found`: the prompt template is missing, or was not filled in. */
export function explainTemplate(subject: Subject): Explanation {
  const raw = found(subject, /(\{\{\s*[\w.]{1,60}\s*\}\})/);
  const template =
    named(subject, 'template', 'file', 'path') ??
    raw ??
    fileIn(subject) ??
    found(subject, /TemplateNotFound:\s*([\w./-]{1,200})/);
  const name = arg(template?.split('/').at(-1), 'template');
  return explainLack(subject, {
    what:
      raw === undefined
        ? 'its prompt template was not found'
        : 'a placeholder of its prompt template was not filled in',
    thing: template,
    thingIs: raw === undefined ? 'The template in question is' : 'The placeholder in question is',
    effect: 'What it does then has little to do with the task, even if it ends with success.',
    first:
      raw === undefined
        ? 'Bring the template back or correct its path, then start the play again.'
        : 'Give the template the value it asks for, then start the play again.',
    remedy: [
      {
        text: 'Look for the template in your checkout of the platform, and for a renamed one.',
        command: `git ls-files | grep -i -e '${name.split('.')[0]}'; git log --oneline --diff-filter=DR --name-status -- '*${name}' | head -n 20`,
      },
      listMounted(subject),
      listKeys(subject),
      {
        text: 'Correct the path (or the name of the value) where the prompt is rendered, and publish the templates again.',
      },
    ],
    expect: `${agentOf(subject)} must start without a complaint about its template.`,
  });
}

/** `prompt … missing`: the instructions were not loaded, or are empty. */
export function explainPrompt(subject: Subject): Explanation {
  const file = named(subject, 'file', 'path', 'prompt') ?? fileIn(subject) ?? found(subject, /\b([\w-]+\.md)\b/);
  return explainLack(subject, {
    what: 'its prompt is missing or empty',
    thing: file,
    thingIs: 'The file in question is',
    effect: 'It either ends at once or works on nothing in particular.',
    first: 'See why the file was not written, then start the play again.',
    remedy: [
      listMounted(subject),
      listKeys(subject),
      {
        text: 'If the pod still runs, look at the file itself; 0 bytes means that rendering failed before.',
        command: kubectl(subject, `exec ${podOf(subject)} -- ls -l ${arg(file, 'prompt-file')}`),
      },
      { text: 'Read the log of the controller for the moment at which it rendered the prompt, and repair that step.' },
    ],
    expect: `${agentOf(subject)} must get a prompt that is not empty.`,
  });
}

/** `role … undefined`: the agent's role was not set. */
export const explainRole = (subject: Subject): Explanation =>
  explainLack(subject, {
    what: 'its role was not set',
    thing: named(subject, 'variable', 'role') ?? found(subject, /\b([A-Z][A-Z_]{2,40}ROLE[A-Z_]{0,20}|ROLE)\b/),
    thingIs: 'The line names',
    effect: 'It follows a general instruction instead of that of its role.',
    first: 'Set the role where the run is created, then start the play again.',
    remedy: [
      {
        text: 'See what the run was created with.',
        command: kubectl(
          subject,
          `get coderuns.agents.platform -o json | jq '.items[] | select(.metadata.name | test("${agentOf(subject)}")) | .spec | {githubApp, runType, env}'`,
        ),
      },
      {
        text: 'See what the container got.',
        command: kubectl(
          subject,
          `get pod ${podOf(subject)} -o jsonpath='{range .spec.containers[*].env[*]}{.name}{"\\n"}{end}' | grep -i role`,
        ),
      },
      { text: 'Set the variable in the template of the run (or correct its name), so that no run starts without it.' },
    ],
    expect: `${agentOf(subject)} must start with its role set.`,
  });

/** `task context … empty`: the task's details were not injected. */
export const explainTask = (subject: Subject): Explanation =>
  explainLack(subject, {
    what: 'the details of its task are empty',
    thing:
      named(subject, 'parameter', 'task', 'file') ??
      found(subject, /missing required parameters?:\s*([\w, -]{1,120})/i, /task context for (task [\w-]{1,40})/i),
    thingIs: 'The line names',
    effect: 'It has nothing to work on and guesses, even if it ends with success.',
    first: 'See whether the task exists and has a text, then start the play again.',
    remedy: [
      {
        text: 'See what the play was started with: each task needs an id and a title, and its text must be in the repository.',
        command: kubectl(
          subject,
          `get coderuns.agents.platform -o json | jq '.items[] | {name: .metadata.name, taskId: .spec.taskId, docs: .spec.docsRepositoryUrl, dir: .spec.docsProjectDirectory, branch: .spec.docsBranch}'`,
        ),
      },
      {
        text: 'Check in a checkout that the branch and directory of the step before hold the text of the task.',
        command: 'git ls-tree -r --name-only origin/BRANCH -- DIRECTORY | grep -i task',
      },
      listMounted(subject),
      listKeys(subject),
    ],
    expect: `${agentOf(subject)} must get the details of its task.`,
  });
