import { describe } from 'vitest';
import { describeModel } from './model-contract.ts';

const {
  OPENAI_API_KEY: key = '',
  OPENAI_MODEL: model = '',
  OPENAI_BASE_URL: url = 'https://api.openai.com/v1',
} = process.env;

// Costs a fraction of a cent. Faults cannot be asked of a real endpoint: test/adapters/openai, test/local/openai.
describe.skipIf(key === '' || model === '')('a real endpoint (needs OPENAI_API_KEY and OPENAI_MODEL)', () => {
  describeModel(() => ({ url, key, model }));
});
