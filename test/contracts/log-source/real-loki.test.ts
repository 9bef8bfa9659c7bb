import { describe } from 'vitest';
import { describeLoki } from './loki-contract.ts';
import type { LokiPeer } from './peer.ts';
import { describeLogSource } from './source-contract.ts';

// Faults, tenants and a movable clock cannot be had from a Loki that is not ours: test/local/loki and test/adapters/loki.
const peer: LokiPeer = { url: process.env['LOKI_URL'] ?? '', tenant: process.env['LOKI_TENANT'] };

describe.skipIf(!peer.url)('a real Loki (needs LOKI_URL, with default limits)', () => {
  describe('as Loki', () => describeLoki(() => peer));
  describe('through the adapter', () => describeLogSource(() => peer));
});
