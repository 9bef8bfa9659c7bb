import * as z from 'zod';
import { toCertificate } from './certificate.ts';
import { address, isLike, oneOf, orNone, parsedText, section, short, text, toBlock, whole } from './fields.ts';

const NAMESPACE = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Where logs are read. */
export const loki = section({
  url: address('the address of Loki', 'https://loki.example.com', { isPlainAllowed: true }).describe(
    'Where Loki answers, e.g. https://loki.example.com.',
  ),
  tenant: orNone(text('a tenant', 'team-a', isLike(/^\S{1,150}$/))).describe(
    'Tenant (X-Scope-OrgID), where Loki wants one.',
  ),
  user: orNone(text('a user', 'healer', isLike(/^[^\s:]{1,150}$/))).describe(
    'User of basic authentication; its password is the secret loki-password.',
  ),
  selector: text(
    'a LogQL stream selector that contains "$namespace"',
    '{cluster="prod", namespace="$namespace"}',
    isLike(/^(?=.{1,300}$)\{[^{}]*"\$namespace"[^{}]*\}\s*(?:\|.*)?$/),
  )
    .default('{namespace="$namespace"}')
    .describe('LogQL stream selector of a namespace; `$namespace` stands for its name.'),
  podLabel: text("the label that holds a pod's name", 'pod', isLike(/^[A-Za-z_][A-Za-z0-9_]*$/))
    .default('pod')
    .describe("Label, or key of structured metadata, that holds a pod's name."),
  longestPauseSeconds: whole(0, 45)
    .default(45)
    .describe(
      'Longest pause before a refused query is tried again in the same look; 0: in the next look, a minute later.',
    ),
  lineFilter: oneOf('on', 'off')
    .default('on')
    .describe('on lets Loki leave out lines in which nothing can be found; off reads every line.'),
});

/** The agents' cluster. */
export const kubernetes = orNone(
  toBlock({
    url: address('the address of the Kubernetes API', 'https://10.0.0.1:6443').describe(
      'Where its API answers. The secret kubernetes-token is a token of a service account that reads.',
    ),
    ca: orNone(
      short(
        2_000,
        parsedText(
          'the certificate authority as PEM, or as PEM in base64',
          'certificate-authority-data of a kubeconfig',
          toCertificate,
        ),
      ),
    ).describe(
      'Its certificate authority: PEM, or certificate-authority-data of a kubeconfig; none: the well-known ones.',
    ),
    namespaces: short(
      500,
      z.array(text('the name of a namespace', 'cto', isLike(NAMESPACE)), { error: () => 'must be a list, e.g. [cto]' }),
    )
      .default([])
      .describe(
        "Namespaces that the token may read; a play in another one is read in the logs alone. Empty: all plays'.",
      ),
  }),
);

const ids = (what: string, prefix: string) =>
  z
    .array(text(`the id of a ${what}`, `${prefix}-0a1b2c3d`, isLike(new RegExp(`^${prefix}-[0-9a-f]{8,17}$`))), {
      error: () => `must be a list of at least one ${what}, e.g. [${prefix}-0a1b2c3d]`,
    })
    .min(1, {
      error: () => `must name at least one ${what}, e.g. [${prefix}-0a1b2c3d]; without a VPC write vpc: none`,
    });

/** The network of the functions that read them. */
export const vpc = orNone(
  toBlock({
    subnets: ids('subnet', 'subnet').describe('Subnets with a way to Loki, AWS and GitHub.'),
    securityGroups: ids('security group', 'sg').describe('Security groups that let out what is needed.'),
  }),
);
