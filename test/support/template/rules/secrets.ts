import { lintSource } from '@secretlint/core';
import { creator as recommended } from '@secretlint/secretlint-rule-preset-recommend';
import { toText } from '../intrinsics.ts';
import { ofType, property, record, type Template, type Violation } from '../template.ts';

/** Names whose value is a secret itself; `…_PARAMETER`, `…_TABLE` and `…_URL` name where one is. */
const SECRET_NAME =
  /(?:^|_)(?:TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?|(?:API|ACCESS|PRIVATE|APP|SIGNING)_?KEY)$/i;
/** A parameter's path or an ARN says where the secret is. */
const REFERENCE = /^(?:\/[\w./-]+|arn:[\w:/.${}-]+)$/;
const SECRET_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY/,
  /\beyJ[\w-]{10,}\.[\w-]{10,}\./,
  /:\/\/[^/\s:@]*:[^/\s:@]+@/,
  /\{\{resolve:(?:ssm-secure|secretsmanager):/,
];
/** Bits per character above which a long word with capitals, small letters and digits is taken for a random one. */
const RANDOM_BITS = 3.8;

function bitsPerCharacter(word: string): number {
  const counts = Object.values(Object.groupBy(word, (letter) => letter)).map((letters) => letters?.length ?? 0);
  return counts.reduce((bits, count) => bits - (count / word.length) * Math.log2(count / word.length), 0);
}

function isRandom(word: string): boolean {
  return [/[a-z]/, /[A-Z]/, /\d/].every((kind) => kind.test(word)) && bitsPerCharacter(word) > RANDOM_BITS;
}

/** `GithubToken` reads like `GITHUB_TOKEN`. */
const isSecretName = (name: string) => SECRET_NAME.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'));

/** The value is what a resource of the template returns, such as a table's name. */
const isOfResource = (template: Template, text: string) =>
  /^\$\{[^}]+\}$/.test(text) && (text.slice(2, -1).split('.')[0] ?? '') in template.Resources;

function looksSecret(template: Template, name: string, value: unknown): boolean {
  const text = toText(template, value);
  if (text === '' || REFERENCE.test(text) || isOfResource(template, text)) return false;
  if (isSecretName(name) || SECRET_SHAPES.some((shape) => shape.test(text))) return true;
  return (text.match(/[A-Za-z0-9+/_=-]{24,}/g) ?? []).some(isRandom);
}

/** No function's environment and no parameter's default holds what looks like a secret, nor a reference that resolves to one. */
export function holdsNoSecretValues(template: Template): Violation[] {
  const functions = ofType(template, 'AWS::Lambda::Function').flatMap(([id, resource]) => {
    return Object.entries(record(property(resource, 'Environment', 'Variables'))).map(
      (entry) => [id, ...entry] as const,
    );
  });
  const defaults = Object.entries(template.Parameters ?? {}).map(
    ([id, { Default }]) => [id, id, Default ?? ''] as const,
  );
  const found = [...functions, ...defaults].filter(([, name, value]) => looksSecret(template, name, value));
  return found.map(([resource, name]) => {
    return {
      rule: 'holdsNoSecretValues',
      resource,
      message: `${name} looks like a secret; read it from SSM when it is needed`,
    };
  });
}

/** The template's whole text holds nothing that secretlint's recommended rules know. The message never shows the value. */
export async function holdsNoKnownSecrets(template: Template): Promise<Violation[]> {
  const options = { rules: [{ id: '@secretlint/secretlint-rule-aws', options: { enableIDScanRule: true } }] };
  const config = {
    rules: [{ id: '@secretlint/secretlint-rule-preset-recommend', rule: recommended, ...options }],
  };
  const sections = Object.entries({
    ...template.Resources,
    Parameters: template.Parameters,
    Outputs: template.Outputs,
  });
  const results = await Promise.all(
    sections.map(async ([resource, section]) => {
      const content = JSON.stringify(section ?? {}, null, 1);
      const source = { content, filePath: 'template.json', ext: '.json', contentType: 'text' as const };
      const { messages } = await lintSource({ source, options: { config, maskSecrets: true } });
      return messages.map(({ messageId }) => ({
        rule: 'holdsNoKnownSecrets',
        resource,
        message: `holds a secret: ${messageId}`,
      }));
    }),
  );
  return results.flat();
}
