/** Environment variables of Loki's own command line that hold secrets. */
const SECRETS = ['LOKI_PASSWORD', 'LOKI_BEARER_TOKEN'] as const;

/** Shorter values cannot be told from ordinary text. */
const SHORTEST = 4;

/** What must never be printed, should a log hold it. */
export const knownSecrets = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  SECRETS.flatMap((name) => {
    const value = env[name]?.trim() ?? '';
    return value.length < SHORTEST ? [] : [value];
  });
