import { beforeEach, describe, expect, it } from 'vitest';
import { createPlayMemory } from '#lib/app/play-memory.ts';
import { recordExposures } from '#lib/app/record-exposures.ts';
import type { IncidentSummary } from '#lib/domain/incident/incident.ts';
import { freshRemediation } from '#lib/domain/remediation/remediation.ts';
import { toIso } from '#lib/domain/time.ts';
import { aFinding } from '#test/support/builders/a-finding.ts';
import { anIncident } from '#test/support/builders/an-incident.ts';
import { aSession } from '#test/support/builders/session.ts';

const MERGED = 1_800_000_000_000;
const MINUTE = 60_000;

let now: number;
let verifying: readonly IncidentSummary[];
let asked: string[];
let exposed: string[];
let ports: Parameters<typeof recordExposures>[0];

beforeEach(() => {
  now = MERGED + MINUTE;
  verifying = [anIncident({ id: 'one', state: 'verifying', updatedAt: 1 })];
  asked = [];
  exposed = [];
  ports = {
    incidents: {
      list: async () => {
        asked.push('list');
        return { items: verifying };
      },
    } as never,
    remediations: {
      get: async (id: string) => {
        asked.push(id);
        const finding = aFinding({ identity: { tool: 'docs_lookup' } });
        return {
          ...freshRemediation({ id, fingerprint: 'f' }, { repository: 'acme/shop', finding }, now),
          mergedAt: MERGED,
        };
      },
      expose: async ({ incidentId }: { incidentId: string }) => exposed.push(incidentId) > 0,
    },
    clock: { now: () => now },
    memory: createPlayMemory(),
  };
});

const facts = {
  agent: 'rex',
  pod: 'p',
  cli: 'claude-code' as const,
  startNs: 0n,
  lastNs: 1n,
  servers: null,
  result: null,
};

const record = () => {
  const session = aSession({ repository: 'acme/shop', startedAt: toIso(MERGED + 1) });
  return recordExposures(ports, [{ session, agents: [{ ...facts, tools: ['docs_lookup'] }], findings: [] }]);
};

describe('recordExposures', () => {
  it('asks for list and fixes once in two minutes, and tells what each look exposes', async () => {
    expect([await record(), (now += MINUTE), await record()]).toEqual([1, now, 1]);
    expect([asked, exposed]).toEqual([
      ['list', 'one'],
      ['one', 'one'],
    ]);
  });

  it('asks again for the fix of an incident that has changed, and of a new one alone', async () => {
    await record();
    now += 2 * MINUTE;
    verifying = [...verifying, anIncident({ id: 'two', state: 'verifying' })];
    await record();
    now += 2 * MINUTE;
    verifying = verifying.map((incident) => (incident.id === 'one' ? { ...incident, updatedAt: 2 } : incident));
    await record();
    expect(asked).toEqual(['list', 'one', 'list', 'two', 'list', 'one']);
  });

  it('without a memory asks each time', async () => {
    const { memory: _memory, ...forgetful } = ports;
    ports = forgetful;
    await record();
    await record();
    expect(asked).toEqual(['list', 'one', 'list', 'one']);
  });

  it('asks for nothing when no agent began', async () => {
    expect(await recordExposures(ports, [{ session: aSession(), agents: [], findings: [] }])).toBe(0);
    expect(asked).toEqual([]);
  });
});
