import { readEvents } from '/work/main/lib/domain/detection/readers/read-events.ts';
import { newState } from '/work/main/lib/domain/detection/readers/reader.ts';
import { builtInPatterns } from '/work/main/lib/domain/detection/patterns/registry.ts';
import { loadCases, SETS, detectCase } from '/work/main/test/corpus/score.ts';
import { toMessages } from '/work/main/lib/domain/detection/decode.ts';
import { toEntries } from '/work/main/test/corpus/score.ts';
const ids = process.argv.slice(2);
for (const c of SETS.flatMap((s) => loadCases(s)).filter((c) => ids.includes(c.id))) {
  console.log('==', c.id, c.title);
  const states = new Map();
  const entries = toEntries(c);
  c.lines.forEach((l, i) => {
    const k = l.pod + l.container;
    if (!states.has(k)) states.set(k, newState());
    const m = toMessages(entries, [i])[0];
    for (const e of readEvents(m.text, states.get(k))) console.log(i, l.pod.slice(0, 26), e.channel, e.level, JSON.stringify(e.facts).slice(0, 90), '|', (e.command ?? '').slice(0, 30), '|', e.text.slice(0, 110), '=>', builtInPatterns().match(e.text, e.channel).map((x) => x.pattern.id).join(','));
  });
  for (const d of detectCase(c)) console.log('  FOUND', d.lineIndex, d.finding.pattern, d.finding.category, d.finding.code, d.finding.severity, d.finding.summary);
}
