import { describe, expect, it } from 'vitest';
import { detectLines } from './support.ts';

const claude = (text: string) => JSON.stringify({ type: 'assistant', message: { content: [{ type: 'text', text }] } });
const done = (result: string) =>
  JSON.stringify({ type: 'result', subtype: 'success', is_error: false, num_turns: 1, result });
const run = (text: string): readonly (readonly [number, string])[] => [
  [0, '{"type":"system","subtype":"init","tools":["Bash"],"mcp_servers":[]}'],
  [4, claude(text)],
  [5, done(text)],
];
const patterns = (lines: readonly (readonly [number, string])[]) =>
  detectLines(...lines).findings.map(({ pattern }) => pattern);

describe('an agent that asks back for its task', () => {
  it.each([
    'It looks like the message came through blank. What should I work on?',
    "I don't see a task description here. Could you tell me which issue to implement?",
    'Hello! How can I help you today?',
    'Please provide the task that you want me to do.',
  ])('%s', (text) => expect(patterns(run(text))).toEqual(['instructions.asked-back']));

  it('not where the closing event holds no words: a message alone is content', () => {
    const codex: readonly (readonly [number, string])[] = [
      [0, '{"type":"thread.started","thread_id":"t"}'],
      [
        3,
        '{"type":"item.completed","item":{"type":"agent_message","text":"There is no task in your message. What would you like me to do?"}}',
      ],
      [4, '{"type":"turn.completed","usage":{}}'],
    ];
    expect(patterns(codex)).toEqual([]);
  });

  it.each([
    ['an answer', run('The parser reads the file in one pass.')],
    [
      'work that ends with an offer',
      run('I added the endpoint and its tests. Which of the two names would you like to keep?'),
    ],
    [
      'a question after a tool call',
      [
        ...run('x').slice(0, 1),
        [
          2,
          '{"type":"assistant","message":{"content":[{"type":"tool_use","id":"a","name":"Bash","input":{"command":"ls"}}]}}',
        ],
        [
          3,
          '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"a","content":"x","is_error":false}]}}',
        ],
        ...run('Which file should I change?').slice(1),
      ] as const,
    ],
    [
      'a question in the middle of the run',
      [
        ...run('What should I work on?').slice(0, 2),
        [6, claude('The plan says: the parser.')],
        [7, done('The parser is documented.')],
      ] as const,
    ],
    [
      'a long report that holds a question',
      run(`${'The parser reads the file. '.repeat(40)}What would you like me to do next?`),
    ],
  ])('not: %s', (_name, lines) => expect(patterns(lines)).toEqual([]));
});
