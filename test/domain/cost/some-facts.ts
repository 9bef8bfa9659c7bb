import { readFacts } from '#lib/cli/cost/read-facts.ts';
import type { TemplateFacts } from '#lib/domain/cost/facts.ts';

/** What this repository's own template says: the figures that are held are those of what is deployed. */
export const FACTS: TemplateFacts = readFacts();
