import { type Deployment, type DeploymentInput, parseDeployment } from '#lib/domain/deployment/deployment.ts';

/** The least that a file must hold. */
export const MINIMAL: DeploymentInput = {
  repositories: { allowed: ['acme/*'] },
  loki: { url: 'https://loki.example.com' },
};

/** A stage's configuration with defaults, as its file would give it. */
export const aDeployment = (overrides: Partial<DeploymentInput> = {}, stage = 'prod'): Deployment =>
  parseDeployment({ ...MINIMAL, ...overrides }, stage);
