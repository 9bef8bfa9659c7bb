import * as z from 'zod';

/**
 * Shapes of the API's answers. `lib/edge/http/openapi.ts` publishes them, and the test-suite holds every answer against
 * them; the deployed functions do not load them.
 */
export const Moment = z.iso.datetime().meta({ description: 'RFC 3339 in UTC, to the millisecond.' });

const RequestId = z.string().meta({ description: 'Names the request to an operator; in `x-request-id` too.' });

/** What every answer has beside the original API's fields. */
export const Healer = z.object({ request_id: RequestId });

export const Cursor = z.string().nullable().meta({
  description: 'Pass it as `cursor` to read the next page; null on the last one.',
});

const FieldFault = z.object({
  path: z.string().meta({ description: 'Where the fault is, e.g. `tasks[0].id`; empty for the whole.' }),
  message: z.string().meta({ description: 'What would be right.' }),
});

/** An error that Healer itself answers. It never repeats a value that was sent. */
export const ErrorReply = z.object({
  status: z.literal('error'),
  message: z.string().meta({ description: 'What was wrong and what would be right.' }),
  errors: z.array(FieldFault),
  healer: Healer,
});

/** A start that was refused names the play, as in the original API. */
export const StartErrorReply = ErrorReply.extend({ session_id: z.string().optional() });

/** The original API says `session: null` when there is none. */
export const SessionErrorReply = ErrorReply.extend({ session: z.null().optional() });

export const IncidentErrorReply = ErrorReply.extend({ incident: z.null().optional() });

/** What API Gateway answers itself, before any function runs: no or a wrong token, too many requests, no answer in time. */
export const GatewayError = z.object({ message: z.string() });

export const HealthReply = z.object({
  status: z.literal('healthy'),
  version: z.string(),
  service: z.literal('healer-play-api'),
  healer: Healer,
});
