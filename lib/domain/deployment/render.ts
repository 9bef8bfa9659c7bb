import { Document, isMap, isPair, isScalar, isSeq, type YAMLMap } from 'yaml';
import type { Deployment } from './deployment.ts';
import { FIELDS } from './describe-fields.ts';

/** Comments are wrapped there; values are not. */
const COLUMNS = 110;

const toHeader = (stage: string): string =>
  [
    ` Healer's configuration of the stage ${stage}; healer.example.yml has every block filled in.`,
    ` Check it after a change with npx healer config --stage ${stage}, then npx serverless deploy --stage ${stage}.`,
    ` Secrets are never in it: npx healer secret set NAME --stage ${stage}.`,
  ].join('\n');

/** The stage's file: every field with its value, each after a comment that says what it is. */
export function renderDeployment({ stage, secrets, ...fields }: Deployment): string {
  const { logLevel, ...blocks } = fields;
  // A path of the stage's own is not written out: a file that is copied for another stage must not name the secrets of the first.
  const prefix = secrets.prefix === `/healer/${stage}` ? null : secrets.prefix;
  const document = new Document({ ...blocks, secrets: { prefix }, logLevel });
  if (isMap(document.contents)) explain(document.contents, '');
  document.commentBefore = toHeader(stage);
  return document.toString({ nullStr: 'none', lineWidth: 0, flowCollectionPadding: false });
}

/** Puts the fields' descriptions before them; lists stand on one line. */
function explain(block: YAMLMap, path: string): void {
  for (const [index, pair] of block.items.entries()) {
    if (!isPair(pair) || !isScalar(pair.key)) continue;
    const { key, value } = pair;
    const place = path === '' ? String(key.value) : `${path}.${String(key.value)}`;
    const field = FIELDS.get(place);
    const depth = 2 * (place.split('.').length - 1);
    if (field !== undefined) key.commentBefore = wrap(field.description, COLUMNS - depth);
    if (path === '' && index > 0) key.spaceBefore = true;
    if (isMap(value) && field !== undefined) explain(value, place);
    else if (isSeq(value)) value.flow = true;
  }
}

/** Lines of at most `columns` characters, each with the blank that follows `#`. */
function wrap(text: string, columns: number): string {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const line = `${lines.at(-1)} ${word}`;
    if (line.length <= columns) lines[lines.length - 1] = line;
    else lines.push(` ${word}`);
  }
  return lines.join('\n');
}
