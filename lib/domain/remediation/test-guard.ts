import { GuardError } from '../errors.ts';
import type { FileChange } from './apply-edits.ts';

/** A line that holds one of these checks something. */
const ASSERTION =
  /\b(?:expect|assert\w*|should|require\.(?:No|Eq|Err|True|False|Len|Contains)\w*|verify|XCTAssert\w*|EXPECT_\w+|ASSERT_\w+|t\.(?:Error|Fatal)f?|debug_assert\w*)\s*[!.(]|\.should\b|^\s*assert\b/;

/** What takes a test, a check or a linter's rule out of force, or lets a failure pass. */
const SUPPRESSIONS: readonly RegExp[] = [
  /\.(?:skip|only|todo|fails|skipIf|runIf|failing)\b/g,
  /\b(?:xit|xdescribe|xtest|xcontext|fit|fdescribe|pending)\s*\(/g,
  /@(?:pytest\.mark\.(?:skip|xfail)\w*|unittest\.(?:skip|expectedFailure)\w*|Ignore\b|Disabled\b)/g,
  /\b(?:pytest\.(?:skip|xfail)|self\.skipTest|t\.Skip(?:Now|f)?|GTEST_SKIP)\b/g,
  /#\[(?:ignore|should_panic|allow)\b/g,
  /@ts-(?:ignore|nocheck|expect-error)|(?:eslint|oxlint|biome|tslint)-(?:disable|ignore)|biome-ignore|nolint|noqa/g,
  /type:\s*ignore|pylint:\s*disable|istanbul ignore|c8 ignore|v8 ignore|pragma:\s*no cover|nosec\b|noinspection/g,
  /\|\|\s*true\b|continue-on-error|allow_failure|--passWithNoTests|--no-verify/g,
];

const refuse = (message: string): never => {
  throw new GuardError('tests', message);
};

const assertionsOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => ASSERTION.test(line));

/**
 * Each line that asserts something stands afterwards as it stood, and nothing is put out of force.
 * @throws GuardError also for an assertion that was merely changed: whether that weakens it is for a person to say.
 */
export function assertTestsKept({ before, after }: FileChange): void {
  const left = [...assertionsOf(after)];
  for (const line of assertionsOf(before ?? '')) {
    const at = left.indexOf(line);
    if (at === -1) return refuse('an assertion is taken out or changed');
    left.splice(at, 1);
  }
  for (const suppression of SUPPRESSIONS) {
    const count = (text: string): number => text.match(suppression)?.length ?? 0;
    if (count(after) > count(before ?? '')) return refuse('a test or a check is put out of force');
  }
}
