import type { Call } from '#lib/local/aws/calls.ts';
import type { Template } from '#lib/local/template.ts';
import { fits, type Grant, listGrants } from './grants.ts';
import { REASONS, type Reason } from './reasons.ts';

const actionOf = ({ service, action }: Call): string => `${service}:${action}`;

const allows = (grant: Grant, call: Call): boolean =>
  grant.function === call.function && fits(grant.action, actionOf(call)) && fits(grant.resource, call.resource);

const excuses = (reason: Reason, grant: Grant): boolean =>
  (reason.function === undefined || reason.function === grant.function) &&
  fits(reason.action, grant.action) &&
  (reason.resource === undefined || fits(reason.resource, grant.resource));

const say = ({ role, action, resource }: Grant): string => `${role}: ${action} on ${resource}`;

/**
 * Rights that a role grants and no recorded call used, as sentences; a right with a reason is left out. A reason that
 * excuses nothing is told as well, so that the table of reasons does not outlive what it explains.
 */
export function unusedGrants(
  template: Template,
  calls: readonly Call[],
  reasons: readonly Reason[] = REASONS,
): readonly string[] {
  const unused = listGrants(template).filter((grant) => !calls.some((call) => allows(grant, call)));
  const bare = unused.filter((grant) => !reasons.some((reason) => excuses(reason, grant)));
  const stale = reasons.filter((reason) => !unused.some((grant) => excuses(reason, grant)));
  return [
    ...bare.map((grant) => `${say(grant)} is granted and was never used`),
    ...stale.map(({ action, why }) => `the reason for ${action} (${why}) excuses nothing`),
  ];
}

/** Recorded calls of the template's functions that their roles do not allow: on AWS they would be denied. */
export function deniedCalls(template: Template, calls: readonly Call[]): readonly string[] {
  const grants = listGrants(template);
  const functions = new Set(grants.map((grant) => grant.function));
  return calls
    .filter((call) => functions.has(call.function) && !grants.some((grant) => allows(grant, call)))
    .map((call) => `${call.function} called ${actionOf(call)} on ${call.resource}, which its role does not allow`);
}

/**
 * Statements that could be taken from their role without any recorded call being denied: each of their calls is allowed by
 * another statement as well, or there is none. A statement all of whose rights have a reason is left out.
 */
export function idleStatements(
  template: Template,
  calls: readonly Call[],
  reasons: readonly Reason[] = REASONS,
): readonly string[] {
  const grants = listGrants(template);
  const statements = Map.groupBy(grants, ({ role, statement }) => `${role}, statement ${statement + 1}`);
  return [...statements].flatMap(([name, own]) => {
    const rest = grants.filter((grant) => !own.includes(grant));
    const isMissed = calls.some(
      (call) => own.some((grant) => allows(grant, call)) && !rest.some((grant) => allows(grant, call)),
    );
    const isExcused = own.every((grant) => reasons.some((reason) => excuses(reason, grant)));
    return isMissed || isExcused
      ? []
      : [`${name} (${[...new Set(own.map(({ action }) => action))].join(', ')}) is missed by no recorded call`];
  });
}
