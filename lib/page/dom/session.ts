import type { SessionDetail } from '#lib/client/index.ts';
import { toIncidentHash } from '../model/route.ts';
import { toCount, toMoment } from '../model/text.ts';
import { h } from './element.ts';
import { age, badge, coverageBadge, coverageBar, line, outsideLinks, section } from './parts.ts';

/** One session: how well its logs are covered, its agents, its incidents. */
export function sessionView(detail: SessionDetail): HTMLElement {
  const { session, healer } = detail;
  return h(
    'article',
    { class: 'detail' },
    h('h2', { tabindex: '-1', id: 'heading' }, line(session.play_id)),
    h(
      'p',
      { class: 'facts' },
      badge(`status ${session.status}`, session.status),
      h('span', {}, line(session.repository)),
      h('span', {}, 'namespace ', line(session.namespace)),
      h('span', {}, 'started ', age(session.started_at)),
      healer.ended_at === null ? null : h('span', {}, 'ended ', age(healer.ended_at)),
    ),
    section(
      'Logs',
      h('p', { class: 'facts' }, coverageBadge(healer), provenUntil(detail)),
      coverageBar(detail),
      ...troubles(detail),
    ),
    section('Agents', agents(detail)),
    section('Incidents', incidents(detail)),
  );
}

function provenUntil({ healer: { coverage } }: SessionDetail): HTMLElement {
  const { proven_until, read } = coverage;
  const text = proven_until === null ? 'nothing read yet' : `read until ${toMoment(proven_until)}`;
  return h('span', {}, read === undefined || read.lines === 0 ? text : `${text}, ${toCount(read.lines, 'line')}`);
}

function troubles({ healer: { coverage } }: SessionDetail): readonly HTMLElement[] {
  const { reason, advice, gaps, cluster } = coverage;
  const why = [reason, advice].flatMap((text) => (text === null ? [] : [line(text)])).join(' ');
  const unseen = cluster?.state === 'blind' ? line(`${cluster.reason ?? ''} ${cluster.advice ?? ''}`) : '';
  return [
    ...(unseen === '' ? [] : [h('p', { class: 'note bad' }, `Kubernetes: ${unseen}`)]),
    ...(why === '' ? [] : [h('p', { class: 'note' }, why)]),
    ...gaps.map((gap) =>
      h(
        'p',
        { class: 'note bad' },
        `Lost from ${toMoment(gap.from)} until ${toMoment(gap.until)}: ${line(gap.reason)}`,
      ),
    ),
  ];
}

function agents({ session, healer }: SessionDetail): HTMLElement {
  const rows = Object.entries(session.cto_config.agents).map(([name, { cli, tools }]) => {
    const pods = healer.pods.filter((pod) => pod.agent === name);
    const checks = pods.map(({ pod, preflight }) =>
      badge(`preflight ${preflight}`, `pre-flight ${preflight}`, line(pod)),
    );
    return h(
      'li',
      { class: 'agent' },
      h('strong', {}, line(name)),
      h('span', {}, line(cli ?? 'no CLI named')),
      h('span', {}, toCount(tools.remote.length, 'remote tool')),
      ...(checks.length === 0 ? [h('span', { class: 'quiet-text' }, 'not seen yet')] : checks),
    );
  });
  return rows.length === 0
    ? h('p', { class: 'quiet-text' }, 'None were declared.')
    : h('ul', { class: 'agents' }, ...rows);
}

function incidents({ healer }: SessionDetail): HTMLElement {
  if (healer.incidents.length === 0) return h('p', { class: 'quiet-text' }, 'None.');
  const rows = healer.incidents.map((incident) => {
    const href = toIncidentHash(incident.id);
    return h(
      'li',
      { class: 'row' },
      h(
        'div',
        { class: 'head' },
        h('a', { href, class: 'name', 'data-key': href }, line(incident.title)),
        badge(`state ${incident.state}`, incident.state),
      ),
      h(
        'p',
        { class: 'facts' },
        badge(incident.severity, incident.severity),
        h('span', {}, toCount(incident.occurrences, 'occurrence')),
        ...outsideLinks(incident),
      ),
    );
  });
  return h('ul', { class: 'rows' }, ...rows);
}
