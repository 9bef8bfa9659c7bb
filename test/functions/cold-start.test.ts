import { afterEach, describe, expect, it } from 'vitest';
import { ConfigError } from '#lib/domain/errors.ts';
import { wireAuthorize } from '#lib/wiring/authorize.ts';
import { wireSessionRead } from '#lib/wiring/session-read.ts';
import { wireSessionWrite } from '#lib/wiring/session-write.ts';

const VARIABLES = [
  'SESSIONS_TABLE',
  'WINDOW_QUEUE_URL',
  'TOKENS_TABLE',
  'ALLOWED_REPOSITORIES',
  'SESSION_MAX_HOURS',
  'SESSION_RETENTION_DAYS',
];
afterEach(() => {
  for (const variable of VARIABLES) Reflect.deleteProperty(process.env, variable);
});

describe('a function that is configured wrongly', () => {
  it('does not start, and names every fault', () => {
    Object.assign(process.env, { ALLOWED_REPOSITORIES: '*', SESSION_MAX_HOURS: '0', SESSION_RETENTION_DAYS: 'x' });
    expect(wireSessionWrite).toThrow(ConfigError);
    expect(wireSessionWrite).toThrow(
      /5 fault.*SESSIONS_TABLE.*WINDOW_QUEUE_URL.*ALLOWED_REPOSITORIES.*SESSION_MAX_HOURS.*SESSION_RETENTION_DAYS/,
    );
  });

  it.each([
    { wire: wireSessionRead, variable: 'SESSIONS_TABLE' },
    { wire: wireAuthorize, variable: 'TOKENS_TABLE' },
  ])('needs $variable', ({ wire, variable }) => {
    expect(wire).toThrow(new RegExp(`${variable} must be the name`));
  });

  it('starts without a list of repositories, since it then refuses them all', () => {
    Object.assign(process.env, { SESSIONS_TABLE: 'sessions', WINDOW_QUEUE_URL: 'queue', ALLOWED_REPOSITORIES: '' });
    expect(wireSessionWrite).not.toThrow();
  });
});
