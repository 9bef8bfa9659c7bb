import { readFileSync } from 'node:fs';
import * as z from 'zod';

const Reply = z.union([
  /** The answer's content as JSON. */
  z.strictObject({ json: z.unknown() }),
  /** The answer's content as it is. */
  z.strictObject({ text: z.string() }),
  z.strictObject({ refusal: z.string() }),
]);

const Entry = z.strictObject({
  /** What must hold of the request; all that is given. Absent: any request. */
  when: z
    .strictObject({
      model: z.string().optional(),
      /** Name of the schema that is asked for. */
      schema: z.string().optional(),
      /** Texts that must stand in the messages. */
      includes: z.array(z.string().min(1)).optional(),
    })
    .default({}),
  /** One a request, in this order; the last is given from then on. */
  replies: z.array(Reply).min(1),
});

const Script = z.array(Entry);

export type ScriptedReply = z.output<typeof Reply>;
/** Replies that a person wrote, for requests of one kind. */
export type ScriptEntry = z.input<typeof Entry>;

/** What of a request decides which reply it gets. */
export interface ScriptQuestion {
  readonly model: string;
  readonly schema: string | undefined;
  readonly text: string;
}

/** @throws Error naming the file and the first fault when it is no script. */
export function readScript(path: string): readonly ScriptEntry[] {
  const parsed = Script.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new Error(`${path} is no script of replies: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** Answers from the script: the first entry that fits gives its next reply. Undefined: none fits. */
export function createPlayer(script: readonly ScriptEntry[]) {
  const entries = Script.parse(script).map((entry) => ({ ...entry, given: 0 }));
  return (question: ScriptQuestion): ScriptedReply | undefined => {
    const entry = entries.find(({ when }) => isMeant(when, question));
    if (entry === undefined) return undefined;
    const reply = entry.replies[Math.min(entry.given, entry.replies.length - 1)];
    entry.given += 1;
    return reply;
  };
}

const isMeant = (when: z.output<typeof Entry>['when'], question: ScriptQuestion): boolean =>
  (when.model === undefined || when.model === question.model) &&
  (when.schema === undefined || when.schema === question.schema) &&
  (when.includes ?? []).every((text) => question.text.includes(text));
