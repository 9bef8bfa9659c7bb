import { afterAll, beforeAll, describe } from 'vitest';
import { type EmbeddedModel, startModel } from '#lib/local/openai/start-model.ts';
import { describeModel } from './model-contract.ts';

describe('the embedded model', () => {
  let embedded: EmbeddedModel;
  beforeAll(async () => {
    const script = [{ when: { schema: 'capital' }, replies: [{ json: { city: 'Paris', note: null, kind: 'city' } }] }];
    embedded = await startModel({ script, keys: ['sk-own'], models: ['scripted'] });
  });
  afterAll(() => embedded.stop());

  describeModel(() => ({ url: embedded.url, key: 'sk-own', model: 'scripted' }));
});
