import type { Claim, Diagnosis, IncidentDetail, Step } from '#lib/client/index.ts';
import { toSessionHash } from '../model/route.ts';
import { toCount, toMoment } from '../model/text.ts';
import { toTimeline } from '../model/timeline.ts';
import { h } from './element.ts';
import { age, badge, line, outsideLinks, prose, section } from './parts.ts';

/** One incident: why, what to do, and its story. */
export function incidentView(incident: IncidentDetail): HTMLElement {
  const { title, state, severity, code, repository, agent, first_seen, diagnosis } = incident;
  return h(
    'article',
    { class: 'detail' },
    h('h2', { tabindex: '-1', id: 'heading' }, line(title)),
    h(
      'p',
      { class: 'facts' },
      badge(`state ${state}`, state),
      badge(severity, severity),
      code === null ? null : h('span', { class: 'code' }, code),
      h('span', {}, line(repository)),
      agent === null ? null : h('span', {}, 'agent ', line(agent)),
      h('span', {}, 'first seen ', age(first_seen)),
      ...outsideLinks(incident),
    ),
    h('div', { class: 'halves' }, h('div', {}, ...diagnosisView(diagnosis)), storyView(incident)),
  );
}

function diagnosisView(diagnosis: Diagnosis | null): readonly (HTMLElement | null)[] {
  if (diagnosis === null)
    return [section('Cause', h('p', { class: 'quiet-text' }, 'Not diagnosed yet; this page follows by itself.'))];
  const { summary, confidence, cause, consequences, remedy, verify, gaps } = diagnosis;
  return [
    section(
      'Cause',
      h('p', { class: 'summary' }, prose(summary)),
      claims(cause),
      h('p', { class: 'quiet-text' }, `Confidence: ${confidence}`),
    ),
    consequences.length === 0 ? null : section('Consequences', claims(consequences)),
    remedy.length === 0 ? null : section('What to do', steps(remedy)),
    verify.length === 0 ? null : section('How to see that it held', steps(verify)),
    gaps.length === 0
      ? null
      : section('What could not be seen', h('ul', { class: 'plain' }, ...gaps.map((gap) => h('li', {}, prose(gap))))),
  ];
}

const claims = (all: readonly Claim[]): HTMLElement =>
  h(
    'ul',
    { class: 'plain' },
    ...all.map(({ text, evidence }) =>
      h(
        'li',
        {},
        prose(text),
        ...evidence.map((id) => h('span', { class: 'evidence', title: `evidence ${line(id)}` }, line(id))),
      ),
    ),
  );

const steps = (all: readonly Step[]): HTMLElement =>
  h(
    'ol',
    { class: 'steps' },
    ...all.map(({ text, command }) =>
      h(
        'li',
        {},
        prose(text),
        command === undefined ? null : h('pre', { tabindex: '0' }, h('code', {}, line(command))),
      ),
    ),
  );

function storyView(incident: IncidentDetail): HTMLElement {
  const moments = toTimeline(incident).map(({ at, stage, text }) =>
    h(
      'li',
      { class: `moment ${stage === 'logs' ? 'from-logs' : ''}` },
      h('time', { datetime: at }, toMoment(at)),
      h('span', { class: 'stage' }, line(stage)),
      h('span', {}, line(text)),
    ),
  );
  const plays = [...new Set(incident.occurrences.map(({ play_id }) => play_id))];
  const seen = `${toCount(incident.occurrence_count, 'occurrence')} in ${toCount(plays.length, 'play')}`;
  return h(
    'div',
    {},
    section('Timeline', h('ol', { class: 'timeline' }, ...moments)),
    section(
      'Seen in',
      h('p', { class: 'quiet-text' }, seen),
      h(
        'ul',
        { class: 'plain' },
        ...plays.map((play) => h('li', {}, h('a', { href: toSessionHash(play), 'data-key': play }, line(play)))),
      ),
    ),
  );
}
