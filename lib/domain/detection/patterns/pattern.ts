import { z } from 'zod';
import { CATEGORIES, CODES, SEVERITIES } from '../finding.ts';
import { CHANNELS } from './channel.ts';

/** What lifts a failure within its time; each is a fact of the same pod, told by readers. */
export const RECOVERIES = [
  /** The model answers or a step goes on. */
  'activity',
  /** Words of success in plain output. */
  'success',
  /** The server is connected, or one of its tools answers. */
  'server',
  /** A later tool call of any kind works. */
  'call',
  /** The same tool works. */
  'same-tool',
  /** The same command works. */
  'same-command',
  /** A line of success names the same thing: the prompt, the template, the configuration. */
  'found',
  /** The Kubernetes object is well again. */
  'object',
] as const;
export type Recovery = (typeof RECOVERIES)[number];

/** Conditions that words alone cannot express. */
export const CONDITIONS = [
  /** The line itself reports trouble: a level from warning up, an error event, or a diagnostic beginning. */
  'trouble',
  /** Trouble, or a notice to the user that asks for something: `please`, `your account`. */
  'notice',
  /** The tool is declared; without a declaration, no later call works. */
  'declared-tool',
  /** The result of a failed call of an MCP tool. */
  'mcp-call',
  /** The last line of a trace. */
  'exception',
  /** A closing event that tells of an error. */
  'failed-result',
  /** Nothing works after it in its stream. */
  'last-words',
  /** The program complains, nothing works after it, and its stream ends within a few lines. */
  'last-complaint',
] as const;
export type Condition = (typeof CONDITIONS)[number];

const line = z.string().max(4096);
const expression = z.string().min(1).max(4096);
const identifier = z.string().regex(/^[a-z0-9]+(?:[-.][a-z0-9]+)*$/, 'lower-case words joined by dashes or dots');

const settle = z.strictObject({
  /** Seconds after the last sign of the failure within which a recovery lifts it. */
  seconds: z.number().int().min(0).max(180),
  by: z.array(z.enum(RECOVERIES)),
});

export const patternSchema = z.strictObject({
  id: identifier,
  /** The row of the mission's tables that this pattern carries. */
  row: z.string().optional(),
  code: z.enum(CODES).optional(),
  category: z.enum(CATEGORIES),
  severity: z.enum(SEVERITIES),
  /** Findings of one family and pod that follow each other are one failure; `api.auth` is akin to all of `api`. */
  family: identifier,
  channels: z.array(z.enum(CHANNELS)).min(1).optional(),
  /** At least one of these stands in each match (any case): the cheap test before the expression runs. */
  literals: z.array(z.string().max(80)).min(1),
  /** RE2 syntax, without regard to case, `^` and `$` at line ends; named groups are identity fields. */
  expression,
  /** Expression that turns a match into none when it is found in the same line. */
  unless: expression.optional(),
  needs: z.enum(CONDITIONS).optional(),
  settle: settle.optional(),
  /** The line announces another try, so that it counts only when nothing follows. */
  retry: z.boolean().optional(),
  /** The line only echoes a failure: it is evidence of another finding, and one of its own where there is none. */
  symptom: z.boolean().optional(),
  /** One line for people; `{name}` is an identity field. */
  summary: z.string().min(1).max(200),
  tests: z.strictObject({
    /** Lines that the pattern finds. */
    match: z.array(line).min(1),
    /** Lines that it leaves alone. */
    pass: z.array(line).min(1),
  }),
});
export type Pattern = z.infer<typeof patternSchema>;

/** What runs: a pattern without its tests. */
export type BuiltPattern = Omit<Pattern, 'tests'>;

/** A file of patterns; `defaults` stand for fields that its patterns leave out. */
export const patternFileSchema = z.strictObject({
  defaults: patternSchema.partial().omit({ id: true, tests: true }).optional(),
  patterns: z.array(z.looseObject({})).min(1),
});
