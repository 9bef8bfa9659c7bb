import { describePod, readLog, runAgain } from '../commands.ts';
import { type Explanation, lineSays } from '../explanation.ts';
import type { Subject } from '../subject.ts';

/** A failure that no other explanation fits: says what the line says, and guesses nothing. */
export const explainUnknown = (subject: Subject): Explanation => ({
  summary: `${subject.who} failed: ${subject.finding.summary.replaceAll(/[`"“”]/g, "'")}. Healer knows this line as a failure but not its cause. Read it in its surroundings first.`,
  cause: [lineSays(subject)],
  remedy: [readLog(subject), describePod(subject), { text: 'Repair what the line names, then start the task again.' }],
  verify: [runAgain(subject, 'the line must not come again, and the run must end with a result event.')],
  unseen: ['The line alone does not tell the cause.'],
  confidence: 'likely',
});
