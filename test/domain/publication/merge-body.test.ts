import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { GuardError } from '#lib/domain/errors.ts';
import { findMarker, toMarker, toSection } from '#lib/domain/publication/marker.ts';
import { bodyHash, GITHUB_BODY_LIMIT, mergeIssueBody, roomForSection } from '#lib/domain/publication/merge-body.ts';

const INCIDENT = { id: 'aa11', fingerprint: 'v1:f0' };
const OTHER = { id: 'bb22', fingerprint: 'v1:e0' };
const section = (text: string, incident = INCIDENT): string => toSection(incident, text);
const BEGIN = '<!-- healer:begin aa11 -->';
const END = '<!-- healer:end aa11 -->';
const fresh = section('fresh');

describe('mergeIssueBody', () => {
  it.each([
    ['an untouched section', section('stale'), fresh],
    ['text before and after', `hello\n\n${section('stale')}\n\nbye`, `hello\n\n${fresh}\n\nbye`],
    [
      'line ends of the web editor',
      `hello\r\n${section('stale').replaceAll('\n', '\r\n')}\r\nbye`,
      `hello\n${fresh}\nbye`,
    ],
    ['edits inside of the section', section('stale\nand a note'), fresh],
    ['a missing end', `hello\n${section('stale').replace(`\n${END}`, '')}\nbye`, `hello\n${fresh}\nbye`],
    [
      'a missing begin',
      `hello\n${section('stale').replace(`${BEGIN}\n`, '')}\nbye`,
      `${fresh}\n\nhello\nstale\n\n---\n\n${toMarker(INCIDENT)}\nbye`,
    ],
    ['a missing end and marker', `${BEGIN}\nstale\nmine`, `${fresh}\n\nstale\nmine`],
    ['two sections', `a\n${section('one')}\nb\n${section('two')}\nc`, `a\n${fresh}\nb\nc`],
    ['a section inside a section', `a\n${BEGIN}\n${section('inner')}\nouter\n${END}\nc`, `a\n${fresh}\nc`],
    ['a second begin without end inside', `a\n${BEGIN}\nmine\n${section('stale')}\nc`, `a\nmine\n${fresh}\nc`],
    ['a lone end', `a\n${END}\nc`, `${fresh}\n\na\nc`],
    ['delimiters in the wrong order', `${END}\na\n${BEGIN}`, `${fresh}\n\na`],
    ['no section', 'written by a person', `${fresh}\n\nwritten by a person`],
    ['an empty body', '', fresh],
    ['delimiters within an indented command', section(`stale\n    ${END}\n    ${toMarker(OTHER)}`), fresh],
    ["another incident's section", section('theirs', OTHER), `${fresh}\n\n${section('theirs', OTHER)}`],
    ['a delimiter quoted in a line', `see \`${END}\`\n${section('stale')}`, `see \`${END}\`\n${fresh}`],
  ])('keeps what people wrote: %s', (_, existing, merged) => {
    expect(mergeIssueBody(existing, fresh)).toBe(merged);
  });

  it('is idempotent and loses no line of people, whatever they did to the delimiters', () => {
    const line = fc.constantFrom(
      'person 1',
      'person 2',
      '',
      BEGIN,
      END,
      toMarker(INCIDENT),
      '```',
      '<!-- healer:begin bb22 -->',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), fc.array(line, { maxLength: 6 }), (before, after) => {
        const once = mergeIssueBody([...before, section('stale'), ...after].join('\n'), fresh);
        expect(mergeIssueBody(once, fresh)).toBe(once);
        expect(once.split(BEGIN)).toHaveLength(2);
        expect(once).toContain(fresh);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every line outside of a whole section', () => {
    const text = fc.array(fc.string({ unit: fc.constantFrom('a', 'B', '`', '<', '-', '>', ' ', '#'), maxLength: 12 }), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const existing = [...before, section('stale'), ...after].join('\n');
        expect(mergeIssueBody(existing, fresh)).toBe([...before, fresh, ...after].join('\n').trim());
      }),
    );
  });

  it('refuses a rendered text without a section', () => {
    expect(() => mergeIssueBody('', 'no section')).toThrow(GuardError);
  });

  it('refuses what is longer than GitHub takes; the room that is left can be asked for', () => {
    const existing = `${'x'.repeat(60_000)}\n${section('stale')}`;
    const room = roomForSection(existing, INCIDENT.id);
    expect(() => mergeIssueBody(existing, section('y'.repeat(9_000)))).toThrow(GuardError);
    const frame = section('').length;
    expect(mergeIssueBody(existing, section('y'.repeat(room - frame))).length).toBeLessThanOrEqual(GITHUB_BODY_LIMIT);
    expect(room).toBeGreaterThan(5_000);
  });
});

describe('findMarker', () => {
  it.each([
    ['a whole section', `x\n${section('y')}\nz`, toMarker(INCIDENT)],
    ['a section with CR LF', section('y').replaceAll('\n', '\r\n'), toMarker(INCIDENT)],
    ['a section that quotes another marker', section(toMarker(OTHER)), toMarker(INCIDENT)],
    ['a body whose delimiters are gone', `y\n${toMarker(INCIDENT)}\nmore`, toMarker(INCIDENT)],
    ['a marker pasted before the section', `${toMarker(OTHER)}\n${section('y')}`, toMarker(INCIDENT)],
    ['a marker within a sentence', `see ${toMarker(INCIDENT)}`, undefined],
    ['nothing', '', undefined],
  ])('in %s', (_, body, marker) => {
    expect(findMarker(body)).toBe(marker);
  });
});

describe('bodyHash', () => {
  it('is blind to what people write, to line ends and to blank lines', () => {
    const hash = bodyHash(fresh);
    expect(bodyHash(`hello\r\n${fresh.replaceAll('\n', ' \r\n')}\r\nbye`)).toBe(hash);
    expect(bodyHash(fresh.replace('fresh', 'fresh\n\n'))).toBe(hash);
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
  });

  it('changes with a word of the section', () => {
    expect(bodyHash(section('Fresh'))).not.toBe(bodyHash(fresh));
    expect(bodyHash('no section')).not.toBe(bodyHash('no sections'));
  });
});
