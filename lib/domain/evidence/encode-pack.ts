import { gunzipSync, gzipSync } from 'node:zlib';
import { type FindingJson, fromFindingJson, toFindingJson } from '../detection/finding-json.ts';
import type { EvidencePack } from './evidence-pack.ts';

/** The largest encoded pack, in bytes. */
export const MAX_PACK_BYTES = 64 * 1024;

/** The largest decoded pack, in bytes; more is no pack of ours. */
const MAX_JSON_BYTES = 16 * 1024 * 1024;

type PackJson = Omit<EvidencePack, 'finding' | 'consequences'> & {
  readonly finding: FindingJson;
  readonly consequences?: readonly FindingJson[];
};

/** Gzipped JSON; nanoseconds of the finding are decimal strings. */
export function encodePack({ consequences, ...pack }: EvidencePack): Uint8Array {
  const json: PackJson = {
    ...pack,
    finding: toFindingJson(pack.finding),
    ...(consequences !== undefined && { consequences: consequences.map(toFindingJson) }),
  };
  return gzipSync(JSON.stringify(json), { level: 9 });
}

/** @throws Error when the bytes are no encoded pack. */
export function decodePack(bytes: Uint8Array): EvidencePack {
  const { consequences, ...json } = JSON.parse(
    gunzipSync(bytes, { maxOutputLength: MAX_JSON_BYTES }).toString('utf8'),
  ) as PackJson;
  return {
    ...json,
    finding: fromFindingJson(json.finding),
    ...(consequences !== undefined && { consequences: consequences.map(fromFindingJson) }),
  };
}
