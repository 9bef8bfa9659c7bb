/** Where a deployment takes events of GitHub. `apiUrl` is the address of its session API, without a slash at its end. */
export const toWebhookUrl = (apiUrl: string): string => `${apiUrl}/api/v1/webhooks/github`;
