import { SSMClient } from '@aws-sdk/client-ssm';
import { splitSelector, toSelector, withLabelFilters } from '#lib/adapters/loki/logql.ts';
import { lokiSource } from '#lib/adapters/loki/loki-source.ts';
import { ssmSecrets } from '#lib/adapters/secrets/ssm-secrets.ts';
import { systemClock } from '#lib/adapters/system/clock.ts';
import { systemSleep } from '#lib/adapters/system/sleep.ts';
import type { LogSource } from '#lib/app/ports.ts';
import { optional, parsed, required } from '#lib/config.ts';
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
  readonly secretsPrefix: string;
}

/** The deployment's Loki. With a user it signs in with the secret `loki-password`, without one it sends no credentials. */
export function wireLoki({ url, tenant, user, podLabel, secretsPrefix }: LokiPlace): LogSource {
  const secrets = ssmSecrets({ ssm: new SSMClient({ maxAttempts: 3 }), prefix: secretsPrefix, clock: systemClock });
  const auth =
    user === undefined ? undefined : ({ kind: 'basic', user, password: () => secrets.get('loki-password') } as const);
  return lokiSource({ url, tenant, auth, podLabel }, { clock: systemClock, sleep: systemSleep });
}
