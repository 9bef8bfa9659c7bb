import * as z from 'zod';
import { ATTRIBUTION_RULES } from '#lib/domain/detection/attribution.ts';
import { SEVERITIES } from '#lib/domain/detection/finding.ts';
import { ENDERS, SESSION_STATUSES } from '#lib/domain/session/session.ts';
import { Incident } from './incident-schema.ts';
import { Cursor, Healer, Moment } from './reply-schema.ts';

/** Shapes of the answers that `session-wire.ts` and `session-view-wire.ts` make: the original API's, and `healer`. */
const LocalServer = z.object({ enabled: z.boolean(), tools: z.array(z.string()) });

const Agent = z.object({
  githubApp: z.string().nullable(),
  cli: z.string().nullable(),
  model: z.string().nullable(),
  tools: z.object({ remote: z.array(z.string()), localServers: z.record(z.string(), LocalServer) }),
});

const Task = z.object({
  id: z.string(),
  title: z.string(),
  agent_hint: z.string().nullable(),
  dependencies: z.array(z.string()),
  priority: z.int32(),
});

/** The original API's words; Healer uses those that `session-view-wire.ts` chooses. */
const ISSUE_TYPES = [
  'pre_flight_failure',
  'tool_mismatch',
  'config_error',
  'mcp_init_failed',
  'agent_error',
  'stuck',
  'agent_failure',
  'build_failure',
  'test_failure',
  'language_mismatch',
  'other',
] as const;

const SessionIssue = z.object({
  detected_at: Moment,
  issue_type: z.enum(ISSUE_TYPES),
  severity: z.enum(SEVERITIES),
  description: z.string(),
  agent: z.string().nullable(),
  task_id: z.string().nullable(),
  remediation_spawned: z.boolean(),
  github_issue: z.url().nullable(),
});

export const Session = z.object({
  play_id: z.string(),
  repository: z.string(),
  service: z.string().nullable(),
  namespace: z.string(),
  cto_config: z.object({ agents: z.record(z.string(), Agent) }),
  tasks: z.array(Task),
  started_at: Moment,
  last_updated: Moment,
  status: z.enum(SESSION_STATUSES),
  issues: z.array(SessionIssue),
});

export const Coverage = z.object({
  state: z.enum(['proven', 'quiet', 'blind', 'pending']).meta({
    description:
      'proven: the logs were read completely and pods of the play spoke; quiet: read completely, and no pod spoke; ' +
      'blind: they cannot be read, and `reason` says why; pending: too early to say.',
  }),
  proven_until: Moment.nullable(),
  last_line_at: Moment.nullable(),
  reason: z.string().nullable(),
  advice: z.string().nullable(),
  gaps: z
    .array(z.object({ from: Moment, until: Moment, reason: z.string() }))
    .meta({ description: 'Ranges that cannot be read any more.' }),
  cluster: z
    .object({
      state: z.enum(['seen', 'blind']),
      looked_at: Moment,
      reason: z.string().nullable(),
      advice: z.string().nullable(),
    })
    .optional()
    .meta({ description: 'The last look at Kubernetes, where it is configured.' }),
  read: z.object({ windows: z.int(), lines: z.int(), bytes: z.int(), pages: z.int() }).optional(),
});

const Pod = z.object({
  pod: z.string(),
  agent: z.string().nullable(),
  preflight: z.enum(['pending', 'passed', 'failed', 'unseen']),
  first_line_at: Moment,
  last_line_at: Moment,
});

const Attribution = z
  .object({
    rules: z.array(z.object({ rule: z.enum(ATTRIBUTION_RULES), pods: z.int(), lines: z.int() })),
    unclaimed: z.object({ count: z.int(), pods: z.array(z.string()) }),
    advice: z.string().nullable(),
  })
  .meta({
    description:
      'Which rule claimed how many pods for the play, with the lines of the last look in which they spoke; and which pods ' +
      'of the namespace no session claims (20 names at most).',
  });

export const SessionIncident = Incident.extend({
  occurrences: z.int().meta({ description: 'Findings of the incident in this play.' }),
});

export const StartReply = z.object({
  status: z.literal('ok'),
  session_id: z.string(),
  message: z.string(),
  healer: Healer,
});

/** `ended_by` says who ended it: the end call, its time being over, its pods' silence, or Kubernetes. */
const EndedHealer = Healer.extend({ ended_at: Moment.nullable(), ended_by: z.enum(ENDERS).nullable() });

export const EndReply = z.object({
  status: z.literal('ok'),
  session: Session,
  message: z.null(),
  healer: EndedHealer,
});

export const SessionReply = EndReply.extend({
  healer: EndedHealer.extend({
    coverage: Coverage,
    pods: z.array(Pod),
    attribution: Attribution,
    unseen: z.array(z.string()).meta({
      description: 'What cannot be seen of the agents, and which setting of their CLIs would show it (docs/agents.md).',
    }),
    incidents: z.array(SessionIncident),
  }),
});

const SessionSummary = Session.pick({ play_id: true, repository: true, status: true, started_at: true }).extend({
  task_count: z.int(),
  issue_count: z.int(),
});

export const SessionsReply = z.object({
  status: z.literal('ok'),
  count: z.int(),
  sessions: z.array(SessionSummary),
  next_cursor: Cursor,
  healer: Healer,
});
