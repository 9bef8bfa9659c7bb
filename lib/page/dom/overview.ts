import type { IncidentDetail } from '#lib/client/index.ts';
import { type Overview, type SessionRow, toTotals } from '../model/load.ts';
import { toIncidentHash, toSessionHash } from '../model/route.ts';
import { toCount } from '../model/text.ts';
import { type Child, h } from './element.ts';
import { age, badge, coverageBadge, coverageBar, line, outsideLinks, prose } from './parts.ts';

/** Everything at one glance: numbers, sessions, incidents. */
export function overviewView(overview: Overview, showMore: () => void): HTMLElement {
  const { sessions, incidents, hasMore } = overview;
  return h(
    'div',
    {},
    totalsView(overview),
    h(
      'div',
      { class: 'columns' },
      listView('sessions', 'Sessions', sessions.map(sessionRow), NO_SESSIONS),
      listView('incidents', 'Incidents', incidents.map(incidentRow), NO_INCIDENTS),
    ),
    hasMore
      ? h(
          'p',
          { class: 'more' },
          h('button', { type: 'button', 'data-key': 'more', onclick: showMore }, 'Show older ones'),
        )
      : null,
  );
}

const NO_SESSIONS = [
  h('p', {}, 'No session yet.'),
  h(
    'p',
    { class: 'quiet-text' },
    'A play appears here as soon as its MCP server announces it to ',
    h('code', {}, 'POST /api/v1/session/start'),
    '.',
  ),
];
const NO_INCIDENTS = [
  h('p', {}, 'No incident.'),
  h(
    'p',
    { class: 'quiet-text' },
    'Nothing failed in the sessions whose logs were read. A session whose logs are blind or have a gap proves nothing.',
  ),
];

function totalsView(overview: Overview): HTMLElement {
  const { active, unseen, open, resolved } = toTotals(overview);
  const tile = (count: number, text: string, kind: string) =>
    h('div', { class: `tile ${count > 0 ? kind : ''}` }, h('dt', {}, text), h('dd', {}, String(count)));
  return h(
    'dl',
    { class: 'totals' },
    tile(active, 'active sessions', 'accent'),
    tile(unseen, 'with logs not fully seen', 'bad'),
    tile(open, 'open incidents', 'warn'),
    tile(resolved, 'resolved incidents', 'good'),
  );
}

const listView = (id: string, title: string, rows: readonly HTMLElement[], empty: readonly Child[]): HTMLElement =>
  h(
    'section',
    { class: 'list', 'aria-labelledby': id },
    h('h2', { id }, title, h('span', { class: 'number' }, String(rows.length))),
    rows.length === 0 ? h('div', { class: 'empty' }, ...empty) : h('ul', {}, ...rows),
  );

function sessionRow({ summary, detail }: SessionRow): HTMLElement {
  const href = toSessionHash(summary.play_id);
  return h(
    'li',
    { class: 'row' },
    h(
      'div',
      { class: 'head' },
      h('a', { href, class: 'name', 'data-key': href }, line(summary.play_id)),
      badge(`status ${summary.status}`, summary.status),
    ),
    coverageBar(detail),
    detail.healer.coverage.state === 'blind'
      ? h('p', { class: 'cause' }, line(detail.healer.coverage.reason ?? ''))
      : null,
    h(
      'p',
      { class: 'facts' },
      coverageBadge(detail.healer),
      h('span', {}, line(summary.repository)),
      summary.issue_count === 0 ? null : h('span', { class: 'warn-text' }, toCount(summary.issue_count, 'incident')),
      h('span', {}, 'started ', age(summary.started_at)),
    ),
  );
}

function incidentRow(incident: IncidentDetail): HTMLElement {
  const { id, title, state, severity, code, repository, diagnosis, last_updated } = incident;
  const href = toIncidentHash(id);
  return h(
    'li',
    { class: 'row' },
    h(
      'div',
      { class: 'head' },
      h('a', { href, class: 'name', 'data-key': href }, line(title)),
      badge(`state ${state}`, state),
    ),
    diagnosis === null ? null : h('p', { class: 'cause' }, prose(diagnosis.summary)),
    h(
      'p',
      { class: 'facts' },
      badge(severity, severity),
      code === null ? null : h('span', { class: 'code' }, code),
      h('span', {}, line(repository)),
      h('span', {}, 'changed ', age(last_updated)),
      ...outsideLinks(incident),
    ),
  );
}
