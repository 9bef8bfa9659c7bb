import { type DemoPlay, event, ofPod } from '#lib/local/demo/play.ts';
import { healthyPlay } from '#lib/local/demo/plays/healthy.ts';
import { misspeltToolPlay } from '#lib/local/demo/plays/misspelt-tool.ts';

const PLAY = 'play-widgets-p9c4r';

/** An agent whose process panics in the middle of its work. */
export const panicPlay: DemoPlay = {
  name: 'a play that panics',
  announcement: {
    play_id: PLAY,
    repository: 'acme/widgets',
    service: 'widgets-api',
    namespace: 'cto',
    cto_config: {
      agents: {
        blaze: { githubApp: 'Acme-Blaze', cli: 'codex', model: 'some-model', tools: { remote: [], localServers: {} } },
      },
    },
    tasks: [{ id: '43', title: 'Draw the widget list', dependencies: [] }],
  },
  lines: ofPod(
    `${PLAY}-blaze-codex-6f5d8c7b9`,
    [2, 'INFO entrypoint: repository acme/widgets checked out at main'],
    [4, event({ type: 'thread.started', thread_id: '01a22d26-b99c-7b40-84fc-1ef604325109' })],
    [5, event({ type: 'turn.started' })],
    [20, "thread 'tokio-runtime-worker' panicked at core/src/exec.rs:412:27:"],
    [20, 'called `Result::unwrap()` on an `Err` value: BrokenPipe'],
    [20, 'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace'],
    [21, 'ERROR entrypoint: agent exited with code 101'],
  ),
  end: { at: 40, status: 'failed' },
  expected: { code: null, severity: 'critical', words: ['panicked'] },
};

/** Played side by side on the deployed stack, in real time. */
export const PLAYS: readonly DemoPlay[] = [healthyPlay, misspeltToolPlay, panicPlay];
