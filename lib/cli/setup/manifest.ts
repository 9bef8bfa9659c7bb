import { APP_EVENTS, APP_PERMISSIONS } from '#lib/app/app-permissions.ts';

/** What the App is made from. Source: docs.github.com, Registering a GitHub App from a manifest. */
export interface Manifest {
  readonly name: string;
  /** Home page, which GitHub demands. */
  readonly url: string;
  readonly description: string;
  readonly public: false;
  readonly hook_attributes: { readonly url: string; readonly active: true };
  /** Absent where the manifest is only shown. */
  readonly redirect_url?: string;
  readonly default_permissions: Readonly<Record<string, 'read' | 'write'>>;
  readonly default_events: readonly string[];
}

/** GitHub's limit. */
export const MOST_NAME = 34;

/**
 * Where events go until the deployment has an address: nowhere, since no host of this top-level domain exists (RFC 6761).
 * GitHub subscribes an App to events only together with a webhook.
 */
export const NO_WEBHOOK = 'https://healer.invalid/api/v1/webhooks/github';

/** The App with exactly the permissions and events that Healer uses, for its owner alone. */
export const toManifest = (wish: {
  readonly name: string;
  readonly homePage: string;
  readonly webhookUrl: string;
  readonly redirectUrl?: string;
}): Manifest => ({
  name: wish.name,
  url: wish.homePage,
  description: 'Watches plays, files issues about failed agents, and proposes fixes as draft pull requests.',
  public: false,
  hook_attributes: { url: wish.webhookUrl, active: true },
  ...(wish.redirectUrl === undefined ? {} : { redirect_url: wish.redirectUrl }),
  default_permissions: APP_PERMISSIONS,
  default_events: APP_EVENTS,
});
