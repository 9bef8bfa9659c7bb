import { GuardError } from '../errors.ts';

/** Parsers are loaded when a file of their kind is changed: the function starts without them. */
const PARSERS: readonly (readonly [RegExp, (text: string) => Promise<void>])[] = [
  [/\.json$/i, async (text) => void JSON.parse(text)],
  [/\.ya?ml$/i, parseYaml],
  [
    /\.toml$/i,
    async (text) => {
      const { parse } = await import('smol-toml');
      parse(text);
    },
  ],
];

async function parseYaml(text: string): Promise<void> {
  const { parseAllDocuments } = await import('yaml');
  const documents = parseAllDocuments(text, { logLevel: 'silent' });
  const errors = Array.isArray(documents) ? documents.flatMap((document) => document.errors) : [];
  if (errors.length > 0) throw errors[0];
}

/** @throws GuardError when a JSON, YAML or TOML file cannot be parsed; other files pass. */
export async function assertParses(path: string, text: string): Promise<void> {
  for (const [name, parse] of PARSERS) {
    if (!name.test(path)) continue;
    try {
      await parse(text);
    } catch {
      throw new GuardError('syntax', 'a file would no longer parse');
    }
  }
}
