import { describe, expect, it } from 'vitest';
import { InputError } from '#lib/domain/errors.ts';
import { routeTarget } from '#lib/domain/incident/routing.ts';

const session = { repository: 'https://github.com/Acme/Widgets.git' };
const PLATFORM = 'acme/platform';
const PLAY = 'acme/widgets';

const preflight = (code: 'A10' | 'A11' | 'A12') => ({ code, category: 'preflight', pattern: 'any' }) as const;
const runtime = (pattern: string) => ({ code: null, category: 'runtime', pattern }) as const;
const lifecycle = (pattern: string) => ({ code: null, category: 'lifecycle', pattern }) as const;

describe('routeTarget', () => {
  it.each([
    [preflight('A10'), PLATFORM],
    [preflight('A11'), PLATFORM],
    [preflight('A12'), PLATFORM],
    [runtime('tools.not-callable'), PLATFORM],
    [runtime('config.stale'), PLATFORM],
    [runtime('mcp.transport'), PLATFORM],
    [runtime('mcp.tools-server'), PLATFORM],
    [runtime('kubernetes.image'), PLATFORM],
    [runtime('kubernetes.scheduling'), PLATFORM],
    [runtime('kubernetes.evicted'), PLATFORM],
    [runtime('kubernetes.oom'), PLATFORM],
    [runtime('kubernetes.mount'), PLATFORM],
    [runtime('api.quota'), PLATFORM],
    [runtime('api.rate-limit'), PLATFORM],
    [runtime('api.credentials'), PLATFORM],
    [runtime('network.dns'), PLATFORM],
    [runtime('network.refused'), PLATFORM],
    [runtime('filesystem.denied'), PLATFORM],
    [runtime('crash.panic'), PLAY],
    [runtime('crash.fatal'), PLAY],
    [runtime('crash.exception'), PLAY],
    [runtime('network.timeout'), PLAY],
    [runtime('run.retries-exhausted'), PLAY],
    [runtime('run.turns-exhausted'), PLAY],
    [runtime('run.exit-code'), PLAY],
    [runtime('run.failed'), PLAY],
    [runtime('api.context'), PLAY],
    [runtime('git.not-delivered'), PLAY],
    [runtime('acme.own-pattern'), PLAY],
    [lifecycle('instructions.template'), PLAY],
    [lifecycle('instructions.prompt'), PLAY],
    [lifecycle('instructions.role'), PLAY],
    [lifecycle('instructions.task'), PLAY],
  ])('%j goes to %s', (finding, target) => {
    expect(routeTarget(finding, session, PLATFORM)).toBe(target);
  });

  it.each([null, undefined, ''])('without a platform repository (%s) all goes to the play', (platform) => {
    expect(routeTarget(preflight('A12'), session, platform)).toBe(PLAY);
  });

  it('refuses a repository that is none', () => {
    expect(() => routeTarget(runtime('crash.panic'), { repository: 'https://evil.example/x' }, null)).toThrow(
      InputError,
    );
  });
});
