import type { Deployment } from '#lib/domain/deployment/deployment.ts';

/** The command that makes a stage's GitHub App, for the owner of the repositories that come first; the schema demands one. */
export function toSetupCommand({ stage, repositories }: Pick<Deployment, 'stage' | 'repositories'>): string {
  const owner = repositories.allowed[0]?.split('/')[0] ?? 'ORGANIZATION';
  return `npx healer setup github --stage ${stage} --organization ${owner}`;
}
