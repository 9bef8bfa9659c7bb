import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { parseJson } from './actors.ts';
import { type Answer, fault, json, redirect, text } from './answer.ts';
import type { AppHook } from './app-hook.ts';
import type { Incoming } from './incoming.ts';

/** What GitHub wants of a manifest. Source: docs.github.com, Registering a GitHub App from a manifest. */
const Manifest = z.object({
  name: z.string().min(1).max(34),
  url: z.string().url(),
  hook_attributes: z.object({ url: z.string().url(), active: z.boolean().optional() }).optional(),
  redirect_url: z.string().url(),
  public: z.boolean().optional(),
  default_permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])).default({}),
  default_events: z.array(z.string()).default([]),
});
type Manifest = z.infer<typeof Manifest>;

/** The one App that this GitHub has: whatever the manifest says, this is what is handed out. */
interface OwnApp {
  readonly id: number;
  readonly slug: string;
  readonly privateKey: string;
  readonly baseUrl: string;
}

const NEW_APP = /^\/(?:organizations\/([^/]+)\/)?settings\/apps\/new$/;
const CONVERSION = /^\/app-manifests\/([^/]+)\/conversions$/;

/**
 * The flow in which a person makes an App from a manifest: the form's page, on which everybody says yes at once, and the
 * exchange of its code, which works once.
 */
export function appManifests(app: OwnApp, hook: AppHook) {
  const codes = new Map<string, { readonly manifest: Manifest; readonly owner: string }>();

  function create(owner: string, state: string | null, body: Buffer): Answer {
    const asked = Manifest.safeParse(parseJson(new URLSearchParams(body.toString()).get('manifest') ?? ''));
    if (!asked.success) return text(422, `Invalid GitHub App configuration: ${asked.error.issues[0]?.path.join('.')}`);
    const code = randomBytes(20).toString('hex');
    codes.set(code, { manifest: asked.data, owner });
    const target = new URL(asked.data.redirect_url);
    target.searchParams.set('code', code);
    if (state !== null) target.searchParams.set('state', state);
    return redirect(target.href);
  }

  function convert(code: string): Answer {
    const made = codes.get(code);
    codes.delete(code);
    if (made === undefined) return fault(404, 'Not Found');
    const secret = randomBytes(20).toString('hex');
    const { manifest, owner } = made;
    if (manifest.hook_attributes !== undefined) hook.set(manifest.hook_attributes.url, secret);
    return json(201, {
      id: app.id,
      slug: app.slug,
      name: manifest.name,
      owner: { login: owner },
      html_url: `${app.baseUrl}/apps/${app.slug}`,
      external_url: manifest.url,
      permissions: manifest.default_permissions,
      events: manifest.default_events,
      client_id: 'Iv1.0000000000000000',
      client_secret: randomBytes(20).toString('hex'),
      webhook_secret: manifest.hook_attributes === undefined ? null : secret,
      pem: app.privateKey,
    });
  }

  /** Undefined for anything that is no part of the flow. Nobody has to sign in. */
  return ({ method, path, body }: Incoming): Answer | undefined => {
    const { pathname, searchParams } = new URL(path, 'http://front');
    if (method !== 'POST') return undefined;
    const [isForm, owner = 'admin'] = NEW_APP.exec(pathname) ?? [];
    if (isForm !== undefined) return create(owner, searchParams.get('state'), body);
    const code = CONVERSION.exec(pathname)?.[1];
    return code === undefined ? undefined : convert(code);
  };
}
