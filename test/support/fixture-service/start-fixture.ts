import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LocalStack, startStack } from '#lib/local/stack.ts';
import type { StackOptions } from '#lib/local/stack-options.ts';
import { packageFixture } from './package-fixture.ts';

/** The token that the fixture's authorizer lets in; the runner adds it to requests that carry none. */
export const FIXTURE_TOKEN = 'let-me-in';

export interface Fixture extends LocalStack {
  /** `POST /act`: does what fixture-service/functions/api.ts lists under the name. */
  act(name: string, argument?: object): Promise<{ status: number; text: string; json: { [field: string]: unknown } }>;
  /** Number of records of a kind, e.g. of `work` by message id. */
  count(kind: string): Promise<number>;
}

/** Starts the fixture service in a folder of its own, which goes when the stack stops. */
export async function startFixture(options: Partial<StackOptions> = {}): Promise<Fixture> {
  const runDirectory = mkdtempSync(join(tmpdir(), 'healer-test-'));
  const remove = () => rmSync(runDirectory, { recursive: true, force: true });
  const stack = await startStack({
    packageDirectory: await packageFixture(),
    runDirectory,
    secrets: { '/fixture/test/token': FIXTURE_TOKEN },
    makeToken: async () => FIXTURE_TOKEN,
    ...options,
  }).catch((error: unknown) => {
    remove();
    throw error;
  });
  const act: Fixture['act'] = async (name, argument = {}) => {
    const body = JSON.stringify({ act: name, ...argument });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${stack.url}/act`, { method: 'POST', headers, body });
    const text = await response.text();
    return { status: response.status, text, json: parse(text) };
  };
  return {
    ...stack,
    act,
    count: async (kind) => Number((await act('query', { kind })).json['count']),
    async stop() {
      await stack.stop();
      remove();
    },
  };
}

function parse(text: string): { [field: string]: unknown } {
  try {
    return JSON.parse(text) as { [field: string]: unknown };
  } catch {
    return {};
  }
}
