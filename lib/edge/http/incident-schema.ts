import * as z from 'zod';
import { CATEGORIES, CODES, SEVERITIES } from '#lib/domain/detection/finding.ts';
import { INCIDENT_STATES } from '#lib/domain/incident/incident.ts';
import { QUEUES } from '#lib/flow.ts';
import { Cursor, Healer, Moment } from './reply-schema.ts';

/** Shapes of the answers that `incident-wire.ts` makes. Titles, summaries and steps are text, never markup. */
export const Incident = z.object({
  id: z.string(),
  repository: z.string().meta({ description: '`owner/name` of the repository whose issue this becomes.' }),
  state: z.enum(INCIDENT_STATES),
  code: z.enum(CODES).nullable().meta({ description: 'A10 tools, A11 configuration, A12 tool server.' }),
  category: z.enum(CATEGORIES),
  severity: z.enum(SEVERITIES),
  agent: z.string().nullable(),
  title: z.string(),
  fingerprint: z.string().meta({ description: 'Equal for the same failure in any play, pod or hour.' }),
  issue_url: z.url().nullable(),
  pull_request_url: z.url().nullable().meta({ description: 'The draft that proposes a fix.' }),
  first_seen: Moment,
  last_updated: Moment,
});

const Claim = z.object({
  text: z.string(),
  evidence: z.array(z.string()).meta({ description: 'Ids of the evidence pieces that the sentence rests on.' }),
});

const Step = z.object({ text: z.string(), command: z.string().optional() });

export const Diagnosis = z.object({
  source: z.enum(['rules', 'model']),
  summary: z.string(),
  cause: z.array(Claim),
  chain: z.array(Claim).meta({ description: 'What led to what, in order of time.' }),
  consequences: z.array(Claim),
  remedy: z.array(Step),
  verify: z.array(Step),
  gaps: z.array(z.string()).meta({ description: 'What could not be seen.' }),
  confidence: z.enum(['certain', 'likely', 'not provable']),
});

const Occurrence = z.object({
  play_id: z.string(),
  repository: z.string(),
  agent: z.string().nullable(),
  pod: z.string(),
  first_line_at: Moment,
  last_line_at: Moment,
  lines: z.int(),
});

export const IncidentDetail = Incident.extend({
  work: z
    .object({ next_stage: z.enum(QUEUES).nullable(), due: Moment.nullable(), attempt: z.int() })
    .meta({ description: 'Which stage owes the incident work, and since when that is overdue.' }),
  diagnosis: Diagnosis.nullable(),
  history: z.array(z.object({ at: Moment, stage: z.string(), event: z.string() })),
  occurrence_count: z.int(),
  occurrences: z.array(Occurrence).meta({ description: 'The newest; `occurrence_count` tells of all.' }),
  links: z.object({ issue: z.url().nullable(), pull_request: z.url().nullable(), sessions: z.array(z.string()) }),
});

export const IncidentReply = z.object({ status: z.literal('ok'), incident: IncidentDetail, healer: Healer });

export const IncidentsReply = z.object({
  status: z.literal('ok'),
  count: z.int(),
  incidents: z.array(Incident),
  next_cursor: Cursor,
  healer: Healer,
});
