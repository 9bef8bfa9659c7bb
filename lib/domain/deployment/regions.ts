import { editDistance } from '../evaluation/nearest.ts';

/**
 * The regions of AWS that a stage can be deployed to: what the AWS SDK knows (partitions.js of @aws-sdk/core) and the
 * framework takes for `provider.region` (osls), in the SDK's order. A test holds this table to both packages, so that a new
 * region comes in with an upgrade of them.
 */
export const REGIONS = [
  'af-south-1',
  'ap-east-1',
  'ap-east-2',
  'ap-northeast-1',
  'ap-northeast-2',
  'ap-northeast-3',
  'ap-south-1',
  'ap-south-2',
  'ap-southeast-1',
  'ap-southeast-2',
  'ap-southeast-3',
  'ap-southeast-4',
  'ap-southeast-5',
  'ap-southeast-6',
  'ap-southeast-7',
  'ca-central-1',
  'ca-west-1',
  'eu-central-1',
  'eu-central-2',
  'eu-north-1',
  'eu-south-1',
  'eu-south-2',
  'eu-west-1',
  'eu-west-2',
  'eu-west-3',
  'il-central-1',
  'me-central-1',
  'me-south-1',
  'mx-central-1',
  'sa-east-1',
  'us-east-1',
  'us-east-2',
  'us-west-1',
  'us-west-2',
  'cn-north-1',
  'cn-northwest-1',
  'us-iso-east-1',
  'us-iso-west-1',
  'us-isob-east-1',
  'us-gov-east-1',
  'us-gov-west-1',
] as const;

const NAMES: ReadonlySet<string> = new Set(REGIONS);

export const isRegion = (text: string): boolean => NAMES.has(text);

/** Longer texts are no region that somebody mistyped. */
const MOST_LENGTH = 32;

/** What to write in the place of a text that is no region, from "must be" on. The text itself is not repeated. */
export function sayRegion(text: unknown): string {
  const near =
    typeof text === 'string' && text.length <= MOST_LENGTH
      ? findNear(text.trim().toLowerCase().replaceAll('_', '-'))
      : [];
  const example = near.length === 0 ? 'e.g. eu-central-1' : `perhaps ${near.join(' or ')}`;
  return `must be a region of AWS that Healer can be deployed to, ${example}`;
}

const partOf = (region: string): string | undefined => region.split('-')[0];

/** The regions that a typo is nearest to: two changes of one character away in the same part of the world, one in another. */
function findNear(text: string): readonly string[] {
  const ranked = REGIONS.map((region) => ({
    region,
    changes: editDistance(text, region),
    isSamePart: partOf(region) === partOf(text),
  })).filter(({ changes, isSamePart }) => changes <= (isSamePart ? 2 : 1));
  const fewest = Math.min(...ranked.map(({ changes }) => changes));
  const near = ranked.filter(({ changes }) => changes === fewest);
  const here = near.filter(({ isSamePart }) => isSamePart);
  return (here.length > 0 ? here : near).map(({ region }) => region);
}
