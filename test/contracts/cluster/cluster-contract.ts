import { describe, expect, it } from 'vitest';
import type { ClusterState } from '#lib/domain/cluster/objects.ts';
import { SourceError } from '#lib/domain/errors.ts';
import { clusterOn, type KubernetesPeer } from './peer.ts';

const namesOf = (objects: readonly { readonly meta: { readonly uid: string; readonly name: string } }[]) =>
  objects.map(({ meta }) => `${meta.uid} ${meta.name}`).toSorted();

const refusalOf = async (reading: Promise<ClusterState>): Promise<SourceError> => {
  const error = await reading.then(
    () => undefined,
    (fault: unknown) => fault,
  );
  expect(error).toBeInstanceOf(SourceError);
  return error as SourceError;
};

/** What a cluster owes its callers; reads only, so that it also runs on one that is in use. */
export function describeCluster(peer: () => KubernetesPeer): void {
  it('tells names, uids and moments of what it holds', async () => {
    const { pods, jobs, events, unread } = await clusterOn(peer()).read(peer().namespace, { events: 'all' });
    expect(unread.map(({ resource }) => resource)).not.toContain('pods');
    for (const { meta } of [...pods, ...jobs]) {
      expect(meta.uid).toMatch(/^[\w-]{8,}$/);
      expect(meta.name).not.toBe('');
      expect(meta.createdNs).toBeTypeOf('bigint');
    }
    for (const event of events) {
      expect(event.reason).not.toBe('');
      expect(event.lastNs).toBeTypeOf('bigint');
      expect(event.object.kind).not.toBe('');
      expect(event.count).toBeGreaterThan(0);
    }
  });

  it('reads page by page what it reads at once', async () => {
    const { namespace } = peer();
    const whole = await clusterOn(peer()).read(namespace, { events: 'all' });
    const paged = await clusterOn(peer(), { pageSize: 2 }).read(namespace, { events: 'all' });
    expect(namesOf(paged.pods)).toEqual(namesOf(whole.pods));
    expect(namesOf(paged.jobs)).toEqual(namesOf(whole.jobs));
  });

  it('leaves out Normal events where only warnings are asked for', async () => {
    const { events } = await clusterOn(peer()).read(peer().namespace, { events: 'warnings' });
    expect(new Set(events.map(({ type }) => type))).not.toContain('Normal');
  });

  it('holds nothing of a namespace that does not exist, or says that it may not be read', async () => {
    const nowhere = clusterOn(peer()).read('healer-no-such-namespace', { events: 'all' });
    const state = await nowhere.catch((error: unknown) => error);
    if (state instanceof SourceError) {
      expect([state.status, state.advice]).toEqual([403, expect.stringContaining('healer-no-such-namespace')]);
    } else expect(state).toMatchObject({ pods: [], jobs: [], runs: [], events: [] });
  });

  describe('without a right to look', () => {
    it('says of a wrong token that it must be renewed, and that trying again may help', async () => {
      const token = () => Promise.resolve('wrong');
      const error = await refusalOf(clusterOn(peer(), { token }).read(peer().namespace, { events: 'all' }));
      expect(error).toMatchObject({ source: 'kubernetes', status: 401, retryable: true });
      expect(error.advice).toContain('kubernetes-token');
    });

    it('asks for a token that a header can hold', async () => {
      const token = () => Promise.resolve('two\nlines');
      await expect(clusterOn(peer(), { token }).read(peer().namespace, { events: 'all' })).rejects.toThrow(
        /kubernetes-token/,
      );
    });
  });
}
