import { SSMClient } from '@aws-sdk/client-ssm';
import { matchersOf, splitSelector, toSelector, withLabelFilters } from '#lib/adapters/loki/logql.ts';
import { type LokiConfig, lokiSource } from '#lib/adapters/loki/loki-source.ts';
import { lokiProbe } from '#lib/adapters/loki/probe.ts';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemSleep } from '#lib/adapters/system/sleep.ts';
import type { LogProbe, LogSource } from '#lib/app/ports.ts';
import type { ProbeOptions } from '#lib/app/probe-sources.ts';
import { integer, optional, parsed, required } from '#lib/config.ts';
import { InputError } from '#lib/domain/errors.ts';

const NAMESPACE_PLACE = '$namespace';

/** Settings of the log source. */
export const lokiSettings = {
  url: required('LOKI_URL', 'the address of Loki, e.g. http://loki-gateway.observability'),
  tenant: optional('LOKI_TENANT', "Loki's tenant (X-Scope-OrgID), where it wants one", undefined),
  user: optional('LOKI_USER', 'the user of basic authentication; the password is the secret loki-password', undefined),
  selector: parsed(
    'LOKI_SELECTOR',
    `a LogQL stream selector in which ${NAMESPACE_PLACE} stands for the namespace, e.g. {namespace="${NAMESPACE_PLACE}"}`,
    parseSelectorTemplate,
  ),
  podLabel: optional('LOKI_POD_LABEL', "the label that holds a pod's name", 'pod'),
  longestPauseSeconds: integer('LOKI_LONGEST_PAUSE_SECONDS', { min: 0, max: 45, fallback: 45 }),
};

/** @throws InputError when the template is no selector or names no namespace. */
function parseSelectorTemplate(text: string): (namespace: string) => string {
  if (text === '') return (namespace) => toSelector({ namespace });
  splitSelector(text);
  if (!text.includes(`"${NAMESPACE_PLACE}"`)) throw new InputError(`must contain "${NAMESPACE_PLACE}"`);
  return (namespace) => text.replaceAll(`"${NAMESPACE_PLACE}"`, () => JSON.stringify(namespace));
}

/** Selector of a namespace, or of one of its pods: behind the pipe, where structured metadata counts too. */
export const toPodSelector =
  (selector: (namespace: string) => string, podLabel: string) =>
  (namespace: string, pod?: string): string =>
    pod === undefined
      ? selector(namespace)
      : withLabelFilters(selector(namespace), [{ label: podLabel, op: '=', value: pod }]);

interface LokiPlace {
  readonly url: string;
  readonly tenant: string | undefined;
  readonly user: string | undefined;
  readonly podLabel: string;
  readonly longestPauseSeconds: number;
  readonly secretsPrefix: string;
}

/** The deployment's Loki. With a user it signs in with the secret `loki-password`, without one it sends no credentials. */
export function wireLoki(place: LokiPlace): LogSource {
  const longestPauseMs = place.longestPauseSeconds * 1000;
  return lokiSource(toAccess(place), { clock: systemClock, sleep: systemSleep, longestPauseMs });
}

/** The same Loki, asked about itself. */
export const wireLokiProbe = (place: LokiPlace): LogProbe =>
  lokiProbe(toAccess(place), { clock: systemClock, sleep: systemSleep });

function toAccess({ url, tenant, user, podLabel, secretsPrefix }: LokiPlace): LokiConfig {
  const secrets = ssmSecrets({ ssm: new SSMClient({ maxAttempts: 3 }), prefix: secretsPrefix, clock: systemClock });
  const auth =
    user === undefined ? undefined : ({ kind: 'basic', user, password: () => secrets.get('loki-password') } as const);
  return { url, tenant, auth, podLabel };
}

/** No namespace has this name; in a selector it tells which label stands for one. */
const SENTINEL = 'healer-probe';

/** What a probe says of how logs are looked for. */
export function toProbeOptions({ tenant, selector, podLabel }: LokiPlace & LokiSelector): ProbeOptions {
  const matchers = matchersOf(selector(SENTINEL));
  const named = matchers.find(({ op, value }) => op === '=' && value === SENTINEL);
  return {
    tenant: tenant ?? null,
    selector,
    labels: matchers.map(({ label }) => label),
    namespaceLabel: named?.label,
    podLabel,
  };
}

interface LokiSelector {
  readonly selector: (namespace: string) => string;
}
