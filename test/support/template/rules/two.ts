import { idOf, toText } from '../intrinsics.ts';
import { grants, type Statement } from '../statements.ts';
import { ofType, property, type Template, type Violation } from '../template.ts';

const READS_SECRET = /^(?:ssm:GetParameter|secretsmanager:(?:Batch)?GetSecretValue)/;
const MODEL_KEY = /model|openai|anthropic|llm/i;
/** The App's key or a token; the secret of the webhook only proves who calls. */
const GITHUB_KEY = /github(?!.*webhook)/i;
const BROKER = 'github-token';

/** Names of the secrets that the statement opens; a wildcard opens every name. */
function secretsOf(template: Template, { actions, resources }: Statement): readonly string[] {
  if (!actions.some((action) => READS_SECRET.test(String(action)))) return [];
  const names = resources.map((resource) => toText(template, resource).replace(/^.*?:(?:parameter|secret):?/, ''));
  return names.map((name) => (/[*?]/.test(name) ? `${name} (any: model key, github key)` : name));
}

/** The alias or version by which the resource names the broker: `write`, or `*` for the function itself. */
function brokerQualifier(template: Template, resource: unknown): string | undefined {
  const text = toText(template, resource);
  const alias = template.Resources[text.slice(2, -1)];
  if (alias?.Type === 'AWS::Lambda::Alias') {
    const target = template.Resources[idOf(template, 'AWS::Lambda::Function', property(alias, 'FunctionName')) ?? ''];
    const isBroker = String(property(target, 'FunctionName')).endsWith(BROKER);
    return isBroker ? String(property(alias, 'Name')) : undefined;
  }
  const [, qualifier] = /:function:[^:]*github-token(?::(.+))?$/.exec(text) ?? [undefined, undefined];
  return text.includes(`-${BROKER}`) ? (qualifier ?? '*') : undefined;
}

function mayWriteByBroker(template: Template, { actions, resources }: Statement): boolean {
  const qualifiers = resources.map((resource) => brokerQualifier(template, resource));
  const isInvoke = actions.some((action) => String(action).startsWith('lambda:Invoke'));
  return isInvoke && qualifiers.some((qualifier) => qualifier !== undefined && qualifier !== 'read');
}

function rightsOf(template: Template, id: string) {
  const resource = template.Resources[id];
  const granted = grants(template, idOf(template, 'AWS::IAM::Role', property(resource, 'Role')) ?? '');
  const secrets = granted.flatMap((statement) => secretsOf(template, statement));
  const holdsGithubKey = secrets.some((name) => GITHUB_KEY.test(name));
  return {
    isBroker: String(property(resource, 'FunctionName')).endsWith(`-${BROKER}`),
    holdsModelKey: secrets.some((name) => MODEL_KEY.test(name)),
    holdsGithubKey,
    mayWrite: holdsGithubKey || granted.some((statement) => mayWriteByBroker(template, statement)),
  };
}

/** The rule of two: what reads hostile text through a model cannot write outside. */
export function separatesModelFromWriting(template: Template): Violation[] {
  return ofType(template, 'AWS::Lambda::Function').flatMap(([resource]) => {
    const { holdsModelKey, mayWrite } = rightsOf(template, resource);
    const message = "its role opens a model's key and may write to GitHub; give one of the two to another function";
    return holdsModelKey && mayWrite ? [{ rule: 'separatesModelFromWriting', resource, message }] : [];
  });
}

/** The GitHub App's key is the broker's alone; everybody else asks it for a token of an hour. */
export function leavesGithubKeyToBroker(template: Template): Violation[] {
  return ofType(template, 'AWS::Lambda::Function').flatMap(([resource]) => {
    const { isBroker, holdsGithubKey } = rightsOf(template, resource);
    const message = `its role opens a GitHub key; let it ask ${BROKER} for a token instead`;
    return holdsGithubKey && !isBroker ? [{ rule: 'leavesGithubKeyToBroker', resource, message }] : [];
  });
}
