import { type DemoPlay, declares, ofPod, stream, together } from '../play.ts';

const PLAY = 'play-gadgets-k7r2m';
const nova = stream('2f6a0c99-b7e3-4d30-a171-4fbd915c8e42');
const blaze = stream('3a7b1daa-c8f4-4e41-b282-50ce026d9f53');
const REFUSED = '401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}';
const retry = (n: number): string => `API Error (${REFUSED}) · Retrying in 5 seconds… (attempt ${n}/5)`;

/** The model's endpoint refuses two agents; one of them is let in at its second retry, the other never. */
export const refusedKeyPlay: DemoPlay = {
  name: 'a refused key: one agent recovers, the other does not',
  announcement: {
    play_id: PLAY,
    repository: 'acme/gadgets',
    service: 'gadgets-web',
    namespace: 'cto',
    cto_config: {
      agents: { nova: declares('Acme-Nova', ['docs_lookup']), blaze: declares('Acme-Blaze', ['docs_lookup']) },
    },
    tasks: [{ id: '12', title: 'Add a gadget filter', dependencies: [] }],
  },
  lines: together(
    ofPod(
      `${PLAY}-nova-claude-4d5e6f708`,
      [2, 'INFO entrypoint: repository acme/gadgets checked out at main'],
      [4, nova.init(['docs_lookup'])],
      [10, retry(1)],
      [16, retry(2)],
      [22, nova.says('I read the list component first.')],
      [30, nova.uses('toolu_21', 'Read', { file_path: 'src/list.tsx' })],
      [32, nova.gets('toolu_21', 'export const List = () => null;')],
      [60, nova.ends('Added the filter and opened pull request 17.')],
    ),
    ofPod(
      `${PLAY}-blaze-claude-8a9b0c1d2`,
      [3, 'INFO entrypoint: repository acme/gadgets checked out at main'],
      [5, blaze.init(['docs_lookup'])],
      [70, retry(1)],
      [76, retry(2)],
      [82, retry(3)],
      [88, retry(4)],
      [94, retry(5)],
      [100, blaze.ends(`API Error: ${REFUSED} · Please run /login`, true)],
    ),
  ),
  end: { at: 110, status: 'failed' },
  expected: { code: null, severity: 'critical', words: ['blaze', 'authentication_error'] },
};
