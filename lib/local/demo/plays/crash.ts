import type { ScriptEntry } from '../../openai/script.ts';
import { type DemoPlay, declares, ofPod, stream } from '../play.ts';

const PLAY = 'play-loaders-b3g6s';
const bolt = stream('8f5d2e4f-0a62-4f93-94eb-23f70af92845');

/** Code of the play's repository, with the fault that the crash shows. */
export const LOADER_FILES = {
  'src/import.rs': `pub fn third_column(row: &[String]) -> &str {
    &row[3]
}
`,
};

/** A crash whose fix is code: a model proposes it, and people let it go out. */
export const crashPlay: DemoPlay = {
  name: 'a crash in the code of the repository',
  announcement: {
    play_id: PLAY,
    repository: 'acme/loaders',
    service: 'loaders-job',
    namespace: 'cto',
    cto_config: { agents: { bolt: declares('Acme-Bolt', ['docs_lookup']) } },
    tasks: [{ id: '7', title: 'Import the supplier list', dependencies: [] }],
  },
  lines: ofPod(
    `${PLAY}-bolt-claude-3c4d5e6f7`,
    [2, 'INFO entrypoint: repository acme/loaders checked out at main'],
    [5, bolt.init(['docs_lookup'])],
    [70, "thread 'main' panicked at src/import.rs:2:6:"],
    [70, 'index out of bounds: the len is 3 but the index is 3'],
    [70, 'note: run with `RUST_BACKTRACE=1` environment variable to display a backtrace'],
    [72, bolt.ends('The import crashed; I could not finish.', true)],
  ),
  end: { at: 80, status: 'failed' },
  expected: { code: null, severity: 'critical', words: ['bolt', 'src/import.rs'] },
};

const step = (fields: object) => ({ json: { path: null, text: null, proposal: null, ...fields } });

const proposal = (title: string, why: string, search: string, replace: string) =>
  step({
    action: 'propose',
    proposal: {
      title,
      why,
      edits: [{ path: 'src/import.rs', search, replace }],
      verify: ['Run the import with a row of three columns.'],
    },
  });

/** Replies that a person wrote in the place of a model: it reads, proposes, and corrects itself after the red check. */
export const CRASH_SCRIPT: readonly ScriptEntry[] = [
  {
    when: { schema: 'step', includes: ['acme/loaders'] },
    replies: [
      step({ action: 'read', path: 'src/import.rs' }),
      proposal(
        'Read the third column where it is',
        'Columns count from zero, so the third one has the index 2; the index 3 is past the end of a row of three.',
        '    &row[3]',
        '    &row[2].as_str()',
      ),
      proposal(
        'Return the third column as it is declared',
        'The check says that the types differ: a reference to a reference was returned.',
        '    &row[2].as_str()',
        '    row[2].as_str()',
      ),
    ],
  },
  { when: { schema: 'step' }, replies: [step({ action: 'stop', text: 'The cause is not in this repository.' })] },
];

/** What continuous integration says of each head. */
export const crashChecks = (attempt: number) => [
  attempt === 1
    ? {
        name: 'test',
        conclusion: 'failure' as const,
        log: 'error[E0308]: mismatched types\n --> src/import.rs:2:5\n  expected `&str`, found `&&str`\n',
      }
    : { name: 'test', conclusion: 'success' as const, log: 'test result: ok. 4 passed\n' },
];
