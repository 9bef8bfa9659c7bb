import type { LogProbe } from '#lib/app/ports.ts';
import type { Window } from '#lib/domain/time.ts';
import type { LokiAnswer, LokiTime } from './http-client.ts';
import { createPost } from './http-client.ts';
import { isLabelName, toLogQuery } from './logql.ts';
import type { LokiConfig } from './loki-source.ts';
import { hasStreams } from './look.ts';
import { notLoki } from './refusal.ts';
import type { Ask } from './requests.ts';
import { askPage, boundsOf, inHalves } from './requests.ts';

/** For one question: a probe asks some, and has to end within a function's time. */
const QUESTION_MS = 6_000;

/** Asks Loki about itself; what failed is not tried again. @throws ConfigError for an address or a header that cannot be used */
export function lokiProbe(config: LokiConfig, time: LokiTime): LogProbe {
  const post = createPost(config, time);
  const ask: Ask = (path, form) => post(path, form, time.clock.now() + QUESTION_MS);
  return {
    labels: async (window) => parseNames(await ask('labels', boundsOf(window))),
    valuesOf: async (label, window) =>
      isLabelName(label) ? parseNames(await ask(`label/${label}/values`, boundsOf(window))) : [],
    hasStreams: (selector, window) => hasStreams(ask, selector, window),
    keysOfEntry: async (selector, window) => {
      const query = toLogQuery(selector, undefined);
      const first = (part: Window) => askPage(ask, query, part, 1);
      const page = await inHalves(window, first, async (found, second) => (found.entries[0] ? found : second()));
      const entry = page.entries[0]?.entry;
      return entry && [...Object.keys(entry.labels), ...Object.keys(entry.metadata ?? {})];
    },
  };
}

/** Loki leaves `data` out when there is nothing. */
function parseNames({ body }: LokiAnswer): readonly string[] {
  const names = body['data'] ?? [];
  if (!Array.isArray(names)) throw notLoki('it is no list of names');
  return names.filter((name) => typeof name === 'string');
}
