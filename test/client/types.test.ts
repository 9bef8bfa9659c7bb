import { describe, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import type * as client from '#lib/client/index.ts';
import type * as incidents from '#lib/edge/http/incident-schema.ts';
import type * as sessions from '#lib/edge/http/session-schema.ts';
import type { StartRequest } from '#lib/edge/http/start-request.ts';

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
/** What an answer's schema says, as a reader has it. */
type Answer<S extends z.ZodType> = Frozen<z.infer<S>>;

describe('the types of the client', () => {
  it('are those of the schemas that answers are held against', () => {
    expectTypeOf<Frozen<client.SessionDetail>>().toEqualTypeOf<Answer<typeof sessions.SessionReply>>();
    expectTypeOf<Frozen<client.Ended>>().toEqualTypeOf<Answer<typeof sessions.EndReply>>();
    expectTypeOf<Frozen<client.Started>>().toEqualTypeOf<Answer<typeof sessions.StartReply>>();
    expectTypeOf<Frozen<client.SessionPage>>().toEqualTypeOf<Answer<typeof sessions.SessionsReply>>();
    expectTypeOf<Frozen<client.IncidentPage>>().toEqualTypeOf<Answer<typeof incidents.IncidentsReply>>();
    expectTypeOf<Frozen<client.IncidentAnswer>>().toEqualTypeOf<Answer<typeof incidents.IncidentReply>>();
  });

  it('let nothing be sent that the schema does not read', () => {
    expectTypeOf<client.SessionStart>().toExtend<Frozen<z.input<typeof StartRequest>>>();
    expectTypeOf<keyof client.SessionStart>().toEqualTypeOf<keyof z.input<typeof StartRequest>>();
  });
});
