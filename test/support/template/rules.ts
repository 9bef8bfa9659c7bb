import {
  authorizesRoutes,
  invokesItsFunction,
  keepsLogsForATime,
  OPEN_ROUTES,
  ownsItsRole,
} from './rules/functions.ts';
import { boundsConcurrency, readsKnownQueues, reportsPartialFailures, staysInvisible } from './rules/mappings.ts';
import {
  alarmsOnDeadLetters,
  encryptsQueues,
  hasDeadLetters,
  keepsDeadLetters,
  receivesEnough,
  refusesPlainText,
} from './rules/queues.ts';
import { namesItsActions, namesItsPrincipals, namesItsResources } from './rules/rights.ts';
import { holdsNoKnownSecrets, holdsNoSecretValues } from './rules/secrets.ts';
import { encryptsTables, expiresItems, recoversTables, retainsTables } from './rules/tables.ts';
import { leavesGithubKeyToBroker, separatesModelFromWriting } from './rules/two.ts';
import type { Template, Violation } from './template.ts';

export type { Template, Violation } from './template.ts';

type Rule = (template: Template, openRoutes?: readonly string[]) => Violation[] | Promise<Violation[]>;

/** What every packaged template of the service must satisfy, beyond what AWS's own validator checks. */
export const RULES: Readonly<Record<string, Rule>> = {
  staysInvisible,
  reportsPartialFailures,
  boundsConcurrency,
  readsKnownQueues,
  hasDeadLetters,
  receivesEnough,
  keepsDeadLetters,
  alarmsOnDeadLetters,
  encryptsQueues,
  refusesPlainText,
  recoversTables,
  expiresItems,
  encryptsTables,
  retainsTables,
  ownsItsRole,
  invokesItsFunction,
  authorizesRoutes,
  keepsLogsForATime,
  namesItsActions,
  namesItsResources,
  namesItsPrincipals,
  holdsNoSecretValues,
  holdsNoKnownSecrets,
  separatesModelFromWriting,
  leavesGithubKeyToBroker,
};

/** Runs all rules; `openRoutes` are the routes that may answer without authorisation. */
export async function findViolations(template: Template, openRoutes = OPEN_ROUTES): Promise<Violation[]> {
  return (await Promise.all(Object.values(RULES).map(async (rule) => rule(template, openRoutes)))).flat();
}
