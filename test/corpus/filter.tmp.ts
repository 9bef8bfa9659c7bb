import { RE2JS } from 're2js';
import { BUILT_IN_PATTERNS } from '#lib/domain/detection/patterns/built-in.generated.ts';
import { toLineFilter } from '#lib/domain/detection/patterns/line-filter.ts';
import { SETS, loadCases, detectCase } from './score.ts';
const f = toLineFilter(BUILT_IN_PATTERNS); console.log(f.length);
const re = RE2JS.compile(f); let kept = 0, all = 0;
const keep = (l: string) => { all++; const r = re.test(l); if (r) kept++; return r; };
for (const s of SETS) for (const c of loadCases(s)) {
  const a = detectCase(c).map((d) => d.finding.id).sort().join(); const b = detectCase(c, keep).map((d) => d.finding.id).sort().join();
  if (a !== b) console.log('DIFF', c.id, detectCase(c).map((d) => d.finding.pattern+d.lineIndex), detectCase(c, keep).map((d) => d.finding.pattern+d.lineIndex), c.title);
}
console.log(kept, all);
