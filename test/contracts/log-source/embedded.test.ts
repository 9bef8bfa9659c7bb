import { afterAll, beforeAll, describe } from 'vitest';
import type { EmbeddedLoki } from '#lib/local/loki/server.ts';
import { startLoki } from '#lib/local/loki/server.ts';
import { describeLoki } from './loki-contract.ts';
import { describeLogSource } from './source-contract.ts';

describe('the embedded Loki', () => {
  let embedded: EmbeddedLoki;
  beforeAll(async () => {
    embedded = await startLoki();
  });
  afterAll(() => embedded.stop());

  describe('as Loki', () => describeLoki(() => embedded));
  describe('through the adapter', () => describeLogSource(() => embedded));
});
