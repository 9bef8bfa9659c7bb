import { asText, isObject, type Json } from '#lib/domain/detection/event.ts';
import { SourceError } from '#lib/domain/errors.ts';

/** What a request wanted to read, for advice: the rule that a Role needs. */
export interface Wanted {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
  /** Plural, e.g. `pods`. */
  readonly resource: string;
  readonly namespace: string;
}

const BUSY = 'The API server is overloaded or limits its callers; look at its priority and fairness settings.';
const WHERE = 'Check KUBE_URL: it must be the address of the API server itself, such as https://10.0.0.1:6443.';
const RENEW =
  'The token has expired or is of another cluster: create one (kubectl create token healer) and store it as kubernetes-token.';

interface Details {
  readonly status?: number | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

export const refusal = (message: string, advice: string, retryable: boolean, details: Details = {}): SourceError =>
  new SourceError({ source: 'kubernetes', message, advice, retryable, ...details });

const nameOf = ({ group, resource }: Wanted): string => (group === '' ? resource : `${resource}.${group}`);

/** The rule that allows what was refused, as a person would paste it into a Role. */
const missingRight = (wanted: Wanted): string =>
  `Grant the service account the right: apiGroups ["${wanted.group}"], resources ["${wanted.resource}"], verbs ["get", "list"] in namespace ${wanted.namespace}.`;

/** The `message` of a JSON `Status`; bodies of other kinds (plain text, a proxy's page) are not repeated. */
function saidBy(body: string): string {
  const status = parseObject(body);
  const message =
    status === null
      ? ''
      : asText(status['message'])
          .replaceAll(/[\p{C}\s]+/gu, ' ')
          .trim();
  return message === '' ? '' : `: ${message.slice(0, 300)}`;
}

export function parseObject(text: string): Json | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Reads an answer with a status other than 200. */
export function toRefusal(
  answer: { readonly status: number; readonly body: string; readonly retryAfterMs: number | undefined },
  wanted: Wanted,
): SourceError {
  const { status, body, retryAfterMs } = answer;
  const message = `Kubernetes answered ${status} for ${nameOf(wanted)}${saidBy(body)}`;
  const refuse = (advice: string, retryable: boolean) => refusal(message, advice, retryable, { status, retryAfterMs });
  if (status === 401) return refuse(RENEW, true);
  if (status === 403) return refuse(/system:anonymous/.test(body) ? RENEW : missingRight(wanted), false);
  if (status === 404) return refuse(toMissing(wanted), false);
  if (status === 410) return refuse('The list is read again from its beginning.', true);
  if (status === 429) return refuse(BUSY, true);
  if (status === 408 || status >= 500) return refuse('Check that the API server is healthy (GET /readyz).', true);
  if (status >= 300 && status < 400)
    return refuse(`A proxy redirects the request, perhaps to a sign-in. ${WHERE}`, false);
  return refuse(WHERE, false);
}

const toMissing = ({ group, version, resource }: Wanted): string =>
  group === 'agents.platform'
    ? `The cluster does not know ${resource} in ${group}/${version}: install the platform's custom resource definition, or check that KUBE_URL is the cluster of the agents.`
    : WHERE;

/** An answer with status 200 that is no list of Kubernetes. */
export const notKubernetes = (what: string): SourceError =>
  refusal(`The answer is not Kubernetes': ${what}`, `A proxy or another server answers in its place. ${WHERE}`, true, {
    status: 200,
  });

export const tooLarge = (cap: number): SourceError =>
  refusal(
    `An answer of Kubernetes is larger than ${cap} bytes`,
    'Remove finished pods and old objects of the namespace.',
    false,
  );

/** Reads what `node:https` throws when no answer, or only a part of one, arrived. `host` is host and port. */
export function toConnectionRefusal(error: unknown, host: string): SourceError {
  if (error instanceof SourceError) return error;
  const { name = '', code = '' } = (error ?? {}) as { name?: string; code?: string };
  const refuse = (message: string, advice: string) => refusal(`${message} (${host})`, advice, true, { cause: error });
  if (name === 'TimeoutError' || name === 'AbortError' || code === 'ABORT_ERR') {
    return refuse('Kubernetes did not answer in time', 'Check that its port is open from here, and its load.');
  }
  if (/CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(code)) {
    return refuse(
      `The certificate of the API server is not accepted (${code})`,
      'Set KUBE_CA to the certificate authority of this cluster (certificate-authority-data of its kubeconfig).',
    );
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return refuse('The host name of the API server is not known', 'Check KUBE_URL and that DNS works from here.');
  }
  if (code === 'ECONNREFUSED' || code === 'EHOSTUNREACH' || code === 'ENETUNREACH') {
    return refuse('Nothing listens at the address of the API server', `${WHERE} Its port must be open from here.`);
  }
  return refuse('The connection to the API server broke off', 'Check the network and any proxy before it.');
}
