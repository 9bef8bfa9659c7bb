import { describe, expect, it } from 'vitest';
import type { SessionDeclaration } from '#lib/domain/session/session.ts';
import { anInit, aSaying, aSession, at, detectIn, entriesOf, labels, START } from './support.ts';

const withTitles = (...titles: readonly string[]): SessionDeclaration => ({
  ...aSession(),
  tasks: titles.map((title, index) => ({ id: String(index), title, agentHint: null, dependencies: [], priority: 0 })),
});
const start = entriesOf([2, anInit([])], [9, aSaying('I look around.')]);

describe('tasks that the session declares', () => {
  it.each([[['']], [['  ']], [['undefined']], [['null', '']], [['{{ task.title }}']], [['${TASK_TITLE}']]])(
    '%j say nothing, so the agent may know nothing',
    (titles) => {
      expect(labels(detectIn(start, { session: withTitles(...titles) }))).toEqual([
        'instructions.declared-task-empty lifecycle medium',
      ]);
    },
  );

  it.each([
    ['one of them says what it is', withTitles('', 'Refund orders')],
    ['none is declared', withTitles()],
    ['a title only sounds empty', withTitles('Null checks')],
  ])('are enough when %s', (_, session) => {
    expect(labels(detectIn(start, { session }))).toEqual([]);
  });

  it('are told once, at the first start of a declared agent', () => {
    const entries = entriesOf([2, anInit([])], [40, anInit([])]);
    expect(detectIn(entries, { session: withTitles('') }).findings.map(({ firstNs }) => firstNs)).toEqual([at(2)]);
  });

  it('are not told by a window in which no agent begins', () => {
    const later = entriesOf([300, aSaying('I go on.')]);
    expect(labels(detectIn(later, { session: withTitles('') }))).toEqual([]);
    const first = entriesOf([0, 'entrypoint']);
    expect(first[0]?.ns).toBe(START);
    expect(labels(detectIn(first, { session: withTitles('') }))).toHaveLength(1);
  });
});

const steps = (...lines: readonly string[]) => entriesOf(...lines.map((line, index) => [index * 2, line] as const));
const user = (content: string) => JSON.stringify({ type: 'user', message: { role: 'user', content } });
const geminiUser = (content: string) => JSON.stringify({ type: 'message', role: 'user', content });
const geminiSays = JSON.stringify({ type: 'message', role: 'assistant', content: 'What is the task?', delta: true });
const geminiInit = JSON.stringify({ type: 'init', session_id: 's', model: 'm' });
const codexHead = 'OpenAI Codex v0.171.0 (research preview)';

describe('a prompt that the CLI echoes', () => {
  it.each([
    ['claude-code', steps(anInit([]), user(''), aSaying('What do you need?'))],
    ['gemini', steps(geminiInit, geminiUser(' \n'), geminiSays)],
    ['codex', steps(codexHead, 'user', '', 'codex', 'I was given nothing to do.')],
  ])('is empty: %s', (_, entries) => {
    expect(labels(detectIn(entries))).toEqual(['instructions.prompt-empty lifecycle high']);
  });

  it.each([
    ['claude-code', steps(anInit([]), user('Refund orders'), aSaying('I begin.'))],
    ['gemini', steps(geminiInit, geminiUser('Refund orders'), geminiSays)],
    ['codex', steps(codexHead, 'user', '', 'Refund orders', 'codex', 'I begin.')],
    ['codex, before any work', steps(codexHead, 'user', '')],
  ])('is not empty: %s', (_, entries) => {
    expect(labels(detectIn(entries))).toEqual([]);
  });
});
