import { type Millis, toIso } from '#lib/domain/time.ts';
import { saySpan } from '../spans.ts';
import type { DeadLetter } from './dead-letters.ts';
import type { Reason } from './find-reasons.ts';

/** A dead letter with what the log says of it. */
export interface Explained extends DeadLetter {
  readonly reason: Reason | undefined;
}

/** What is told of a letter; ids and figures alone, and the function's own error. */
export const toLetterJson = ({ messageId, sentAt, about, reason }: Explained, now: Millis) => ({
  message_id: messageId,
  ...(about ?? { unreadable: true }),
  sent_at: toIso(sentAt),
  age_seconds: Math.max(0, Math.round((now - sentAt) / 1000)),
  last_error: reason === undefined ? null : { at: toIso(reason.at), error: reason.error },
});

const subjectOf = ({ about }: DeadLetter): string => {
  if (about === null) return 'a message that cannot be read; it comes back whenever it is sent';
  return 'incident' in about ? `incident ${about.incident}` : `namespace ${about.namespace}`;
};

const toSeconds = (at: Millis): string => toIso(at).slice(0, 19).replace('T', ' ');

/** Three lines a letter: what it is about, its id and age, and why it died. */
export function toLetterLines(letters: readonly Explained[], functionName: string, now: Millis): string {
  const lines = letters.flatMap((letter) => {
    const { messageId, sentAt, reason } = letter;
    const why =
      reason === undefined
        ? `the log of ${functionName} has no error about it`
        : `${toSeconds(reason.at)} UTC  ${reason.error}`;
    return [`  ${subjectOf(letter)}`, `    message ${messageId}, sent ${saySpan(now - sentAt)} ago`, `    ${why}`];
  });
  return lines.join('\n');
}
