import { parser } from '@grafana/lezer-logql';
import type { SyntaxNode, Tree } from '@lezer/common';
import { RE2JS } from 're2js';
import type { Nanos } from '#lib/domain/time.ts';
import { parseRange } from './query-params.ts';
import { badRequest } from './refusal.ts';
import { unquote } from './unquote.ts';

/** One comparison of a label; a label that is missing counts as the empty string. */
export interface LabelTest {
  readonly label: string;
  readonly test: (value: string) => boolean;
  readonly isPositive: boolean;
}

export interface Selection {
  readonly matchers: readonly LabelTest[];
  readonly lineFilters: readonly ((line: string) => boolean)[];
  /** Label filters behind the pipe; they see structured metadata too. */
  readonly labelFilters: readonly LabelTest[];
}

export type ParsedQuery =
  | { readonly kind: 'logs'; readonly selection: Selection }
  | { readonly kind: 'count'; readonly selection: Selection; readonly range: Nanos; readonly by: readonly string[] };

/** Everything that this server evaluates. Any other construct of LogQL is refused by name. */
const UNDERSTOOD = new Set(
  `LogQL Expr LogExpr MetricExpr Selector Matchers Matcher Identifier String Eq Neq Re Nre PipelineExpr PipelineStage Pipe
   LineFilters LineFilter Filter PipeExact PipeMatch LabelFilter VectorAggregationExpr VectorOp Sum Grouping By Labels
   RangeAggregationExpr RangeOp CountOverTime LogRangeExpr Range Duration LineComment`.split(/\s+/),
);

const EMPTY_COMPATIBLE =
  'parse error : queries require at least one regexp or equality matcher that does not have an empty-compatible value. ' +
  'For instance, app=~".*" does not meet this requirement, but app=~".+" will';

/** @throws LokiHttpError 400: a syntax error, or a construct that this server does not evaluate. */
export function parseLogql(text: string): ParsedQuery {
  if (/^\s*\{\s*\}\s*$/.test(text)) throw badRequest(EMPTY_COMPATIBLE);
  const tree = parser.parse(text);
  assertUnderstood(tree, text);
  const selection = toSelection(tree, text);
  const range = find(tree, 'Range')[0];
  if (!range) return { kind: 'logs', selection };
  if (!find(tree, 'VectorAggregationExpr')[0]) throw badRequest(unsupported('count_over_time without sum'));
  const by = find(tree, 'Labels').flatMap((labels) => labels.getChildren('Identifier').map((node) => at(node, text)));
  return { kind: 'count', selection, range: parseRange(at(range, text).slice(1, -1).trim()), by };
}

/** Parses a plain stream selector, the form of `match[]` of /series. */
export function parseSelector(text: string): readonly LabelTest[] {
  const query = parseLogql(text);
  const { matchers, lineFilters, labelFilters } = query.selection;
  if (query.kind === 'logs' && lineFilters.length + labelFilters.length === 0) return matchers;
  throw badRequest('parse error : only label matchers are supported');
}

const unsupported = (what: string): string => `parse error : this server does not evaluate ${what}`;

function assertUnderstood(tree: Tree, text: string): void {
  tree.iterate({
    enter(node) {
      if (node.type.isError) {
        const near = text.slice(node.from, node.from + 20) || '$end';
        throw badRequest(`parse error at line 1, col ${node.from + 1}: syntax error: unexpected ${near}`);
      }
      if (!UNDERSTOOD.has(node.name))
        throw badRequest(unsupported(`${node.name} ("${text.slice(node.from, node.to)}")`));
    },
  });
}

function toSelection(tree: Tree, text: string): Selection {
  const selector = find(tree, 'Selector')[0];
  if (!selector) throw badRequest('parse error : a query needs a stream selector such as {namespace="cto"}');
  const all = find(tree, 'Matcher');
  const matchers = all.filter((node) => node.to <= selector.to && node.from >= selector.from);
  const tests = matchers.map((node) => toLabelTest(node, text));
  if (!tests.some(({ isPositive, test }) => isPositive && !test(''))) throw badRequest(EMPTY_COMPATIBLE);
  return {
    matchers: tests,
    lineFilters: find(tree, 'LineFilter').map((node) => toLineFilter(node, text)),
    labelFilters: all.filter((node) => !matchers.includes(node)).map((node) => toLabelTest(node, text)),
  };
}

function toLabelTest(node: SyntaxNode, text: string): LabelTest {
  const label = at(node.getChild('Identifier'), text);
  const value = stringOf(node, text);
  const isPositive = Boolean(node.getChild('Eq') ?? node.getChild('Re'));
  const matches = node.getChild('Re') || node.getChild('Nre') ? anchored(value) : (found: string) => found === value;
  return { label, isPositive, test: isPositive ? matches : (found) => !matches(found) };
}

function toLineFilter(node: SyntaxNode, text: string): (line: string) => boolean {
  const operator = at(node.getChild('Filter'), text);
  const value = stringOf(node, text);
  const contains = operator.endsWith('~') ? unanchored(value) : (line: string) => line.includes(value);
  return operator.startsWith('|') ? contains : (line) => !contains(line);
}

/** Prometheus matchers compare the whole value. */
function anchored(expression: string): (value: string) => boolean {
  const compiled = compile(`^(?s:${compile(expression).pattern()})$`);
  return (value) => compiled.matcher(value).find();
}

/** Line filters search; `.` matches a newline too. */
function unanchored(expression: string): (line: string) => boolean {
  const compiled = compile(expression);
  return (line) => compiled.matcher(line).find();
}

function compile(expression: string): RE2JS {
  try {
    return RE2JS.compile(expression, RE2JS.DOTALL);
  } catch (error) {
    throw badRequest(`parse error : ${error instanceof Error ? error.message : 'invalid regular expression'}`);
  }
}

function find(tree: Tree, name: string): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  tree.iterate({
    enter(node) {
      if (node.name === name) found.push(node.node);
    },
  });
  return found;
}

const at = (node: SyntaxNode | null, text: string): string => (node ? text.slice(node.from, node.to) : '');

function stringOf(node: SyntaxNode, text: string): string {
  const value = unquote(at(node.getChild('String'), text));
  if (value === undefined) throw badRequest('parse error : invalid char escape');
  return value;
}
