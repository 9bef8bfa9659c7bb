import type { Json, LogEvent } from '../event.ts';
import { isObject, toEvent } from '../event.ts';
import { claudeCode } from './claude-code.ts';
import { codex } from './codex.ts';
import { jsonLog } from './json-log.ts';
import { kubernetesEvent } from './kubernetes-events.ts';
import { droid, goose, openhands, unknownStream } from './more-clis.ts';
import { cline, gemini, opencode } from './other-clis.ts';
import { readPlainText } from './plain-text.ts';
import type { JsonReader, StreamState } from './reader.ts';

/** Readers of JSON events, most specific first. A CLI that has shown itself in a stream is asked first. */
const CLI_READERS: readonly JsonReader[] = [opencode, cline, goose, droid, openhands, gemini, codex, claudeCode];
const JSON_READERS: readonly JsonReader[] = [kubernetesEvent, ...CLI_READERS, jsonLog, unknownStream];
const CLIS = new Set(CLI_READERS.map((reader) => reader.id));

function parseJson(text: string): Json | null {
  if (!text.startsWith('{') || !text.endsWith('}')) return null;
  try {
    const parsed: unknown = JSON.parse(text);
    return isObject(parsed) ? parsed : null;
  } catch {
    return null;
  }
}

function readJson(json: Json, state: StreamState): readonly LogEvent[] | null {
  const known = JSON_READERS.find((reader) => reader.id === state.cli);
  for (const reader of known === undefined ? JSON_READERS : [known, ...JSON_READERS]) {
    const events = reader.read(json, state);
    if (events === null) continue;
    if (CLIS.has(reader.id)) state.cli = reader.id;
    return events;
  }
  return null;
}

/**
 * What one message of a stream means. Only a JSON object that is the whole message can be an event of a CLI; one that is
 * quoted in text is text, and one that no reader knows is content.
 */
export function readEvents(text: string, state: StreamState): readonly LogEvent[] {
  const trimmed = text.trim();
  const isInsideOutput = state.block !== null && state.block.kind !== 'prose';
  const json = parseJson(trimmed);
  if (json !== null && (!isInsideOutput || state.cli !== null)) {
    const events = readJson(json, state);
    if (events !== null) {
      state.block = null;
      return events;
    }
    return [toEvent('listing', '')];
  }
  return readPlainText(text.trimEnd(), state);
}
