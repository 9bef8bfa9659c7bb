import { dirname, resolve } from 'node:path';
import { parse } from 'yaml';
import * as z from 'zod';
import { InputError } from '#lib/domain/errors.ts';

/** What Healer takes from a kubeconfig. */
export interface KubeAccess {
  readonly url: string;
  /** PEM in base64; undefined trusts the well-known authorities. */
  readonly ca: string | undefined;
  /** Undefined where the context's user has none; `whyNoToken` says what the user has instead. */
  readonly token: string | undefined;
  readonly whyNoToken: string;
}

const Cluster = z.object({
  server: z.string().min(1),
  'certificate-authority': z.string().optional(),
  'certificate-authority-data': z.string().optional(),
  'insecure-skip-tls-verify': z.boolean().optional(),
  'tls-server-name': z.string().optional(),
  'proxy-url': z.string().optional(),
});

const User = z.looseObject({ token: z.string().optional(), tokenFile: z.string().optional() });

/** Source: https://kubernetes.io/docs/reference/config-api/kubeconfig.v1/ */
const Kubeconfig = z.object({
  'current-context': z.string().min(1),
  contexts: z.array(z.object({ name: z.string(), context: z.object({ cluster: z.string(), user: z.string() }) })),
  clusters: z.array(z.object({ name: z.string(), cluster: z.unknown() })),
  users: z.array(z.object({ name: z.string(), user: z.unknown() })),
});

export type ReadText = (path: string) => string;

/**
 * The current context of a kubeconfig: address, authority and bearer token (`token` or `tokenFile`, read once). Paths in
 * it count from its folder. Users of other kinds (client certificate, exec plugin, password) have no token to take.
 * @throws InputError with a sentence that says what is wrong and what would be right; never a value of the file
 */
export function readKubeconfig(path: string, read: ReadText): KubeAccess {
  const config = parseKubeconfig(path, read);
  const name = config['current-context'];
  const context = config.contexts.find((one) => one.name === name)?.context;
  if (context === undefined) throw wrong('its current context is not among its contexts (kubectl config use-context)');
  const cluster = parsePart(Cluster, config.clusters.find((one) => one.name === context.cluster)?.cluster, 'cluster');
  const user = parsePart(User, config.users.find((one) => one.name === context.user)?.user ?? {}, 'user');
  const readBeside = (file: string) => read(resolve(dirname(path), file));
  refuseUnsupported(cluster);
  return {
    url: cluster.server,
    ca: toCa(cluster, readBeside),
    token: user.token ?? (user.tokenFile === undefined ? undefined : readBeside(user.tokenFile).trim()),
    whyNoToken: whyNoToken(user),
  };
}

const wrong = (what: string): InputError => new InputError(`KUBECONFIG: ${what}`);

function parseKubeconfig(path: string, read: ReadText): z.infer<typeof Kubeconfig> {
  if (path.includes(':')) {
    throw wrong('name one file; kubectl config view --raw --flatten --minify joins several into one');
  }
  let content: unknown;
  try {
    content = parse(read(path));
  } catch {
    throw wrong('the file cannot be read, or is not YAML');
  }
  return parsePart(Kubeconfig, content, 'file');
}

function parsePart<T>(schema: z.ZodType<T>, value: unknown, part: string): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') ?? '';
  throw wrong(`the ${part} of the current context is not complete${place === '' ? '' : ` (${place})`}`);
}

function refuseUnsupported(cluster: z.infer<typeof Cluster>): void {
  if (cluster['insecure-skip-tls-verify'] === true) {
    throw wrong('insecure-skip-tls-verify is not supported: Healer checks certificates; name certificate-authority');
  }
  for (const key of ['proxy-url', 'tls-server-name'] as const) {
    if (cluster[key] !== undefined)
      throw wrong(`${key} is not supported: set KUBE_URL to an address that works without`);
  }
}

function toCa(cluster: z.infer<typeof Cluster>, read: ReadText): string | undefined {
  const data = cluster['certificate-authority-data'];
  if (data !== undefined) return data;
  const file = cluster['certificate-authority'];
  return file === undefined ? undefined : Buffer.from(read(file)).toString('base64');
}

function whyNoToken(user: z.infer<typeof User>): string {
  const kinds = { exec: 'an exec plugin', 'auth-provider': 'an auth provider', username: 'a password' } as const;
  const kind = Object.entries(kinds).find(([key]) => key in user)?.[1];
  const found =
    kind ?? ('client-certificate' in user || 'client-certificate-data' in user ? 'a client certificate' : '');
  return found === '' ? 'the user of the current context has no token' : `the current context signs in with ${found}`;
}
