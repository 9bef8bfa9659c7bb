import { describe, expect, it } from 'vitest';
import { detectLevel, withServiceName } from '#lib/local/loki/discovered-labels.ts';

describe('detectLevel', () => {
  it.each<[string, Record<string, string>, Record<string, string>, string, string]>([
    ['a label', { level: 'WARN' }, {}, 'an error', 'warn'],
    ['metadata', {}, { severity_text: 'Information' }, 'an error', 'info'],
    ['a field of JSON', {}, {}, '{"level":"debug","msg":"an error"}', 'debug'],
    ['a field of logfmt', {}, {}, 'ts=1 lvl=err msg=info', 'error'],
    ['a word', {}, {}, 'ERROR: broken', 'error'],
    ['nothing', {}, {}, 'terror and information2', 'unknown'],
    ['a field that is no level', {}, {}, 'level=constructor', 'unknown'],
  ])('reads %s', (_case, labels, metadata, line, level) => {
    expect(detectLevel(labels, metadata, line)).toBe(level);
  });
});

describe('withServiceName', () => {
  it.each([
    [{ container: 'agent', app: 'cto' }, 'cto'],
    [{ job: 'j' }, 'j'],
    [{ pod: 'p' }, 'unknown_service'],
    [{ service_name: 'own', app: 'cto' }, 'own'],
  ])('%j', (labels: Record<string, string>, name) => {
    expect(withServiceName(labels)['service_name']).toBe(name);
  });
});
