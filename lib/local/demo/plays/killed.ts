import { codeRunObject, jobObject, podObject } from '../../kubernetes/objects.ts';
import { type DemoPlay, declares, ofPod, stream } from '../play.ts';

const PLAY = 'play-widgets-z5t8w';
const RUN = `${PLAY}-tess`;
const POD = `${PLAY}-tess-claude-1a2b3c4d5`;
const tess = stream('4b8c2ebb-d905-4f52-8393-61df137ea064');
const LABELS = { app: 'controller', 'task-id': '44', 'batch.kubernetes.io/job-name': RUN };

/** How the play's objects stand while the pod runs, and once it was killed. */
function cluster(start: number, isKilled: boolean) {
  const at = (seconds: number) => start + seconds * 1000;
  const place = { namespace: 'cto', createdAt: at(1) };
  const end = { reason: 'OOMKilled', exitCode: 137, startedAt: at(2), finishedAt: at(75) };
  return [
    codeRunObject({
      ...place,
      name: RUN,
      jobName: RUN,
      phase: isKilled ? 'Failed' : 'Running',
      spec: { githubApp: 'Acme-Tess', taskId: 44, service: 'widgets-api' },
    }),
    jobObject({
      ...place,
      name: RUN,
      owner: { kind: 'CodeRun', name: RUN },
      ...(isKilled ? { failed: 1 } : { active: 1 }),
    }),
    podObject({
      ...place,
      name: POD,
      labels: LABELS,
      owner: { kind: 'Job', name: RUN },
      startedAt: at(2),
      phase: isKilled ? 'Failed' : 'Running',
      containers: [{ memoryLimit: '512Mi', ...(isKilled ? { end } : { startedAt: at(2) }) }],
    }),
  ];
}

/** A pod that is killed for memory amid its work, and writes nothing of it. Only the cluster knows. */
export const killedPlay: DemoPlay = {
  name: 'a pod killed for memory, without a word',
  announcement: {
    play_id: PLAY,
    repository: 'acme/widgets',
    service: 'widgets-api',
    namespace: 'cto',
    cto_config: { agents: { tess: declares('Acme-Tess', ['docs_lookup']) } },
    tasks: [{ id: '44', title: 'Test the widget import', dependencies: [] }],
  },
  lines: ofPod(
    POD,
    [3, 'INFO entrypoint: repository acme/widgets checked out at main'],
    [6, tess.init(['docs_lookup'])],
    [20, tess.uses('toolu_31', 'Bash', { command: 'npm test -- import' })],
    [40, tess.gets('toolu_31', 'Tests  3 passed (3)')],
    [55, tess.uses('toolu_32', 'Bash', { command: 'node scripts/import-all.js' })],
  ),
  cluster: [
    { at: 2, objects: (start) => cluster(start, false) },
    { at: 76, objects: (start) => cluster(start, true) },
  ],
  end: { at: 150, status: 'failed' },
  expected: { code: null, severity: 'critical', words: ['tess', 'OOMKilled'] },
};
