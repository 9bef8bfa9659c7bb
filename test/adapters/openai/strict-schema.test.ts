import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { dropAbsent, toStrictSchema } from '#lib/adapters/openai/strict-schema.ts';
import { AnalysisAnswer } from '#lib/domain/evaluation/prompt/analysis-answer.ts';
import { checkRequest } from '#lib/local/openai/check-request.ts';

const Edit = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('replace'),
    path: z.string().min(1).max(200),
    search: z.string(),
    why: z.string().optional(),
  }),
  z.object({ kind: z.literal('done'), note: z.string().nullable().optional() }),
]);
const Turn = z.object({
  edits: z.array(Edit).max(10),
  count: z.int().min(0).default(0),
  nested: z.object({ when: z.string().optional() }).optional(),
});

const asRequest = (schema: z.ZodType) => ({
  model: 'scripted',
  messages: [{ role: 'user', content: 'x' }],
  response_format: {
    type: 'json_schema',
    json_schema: { name: 'turn', strict: true, schema: JSON.parse(JSON.stringify(toStrictSchema(schema))) },
  },
});

describe('a strict schema', () => {
  it.each([
    ['the analysis', AnalysisAnswer],
    ['unions, optional and default properties', Turn],
    ['a shared part', z.object({ left: Edit, right: Edit })],
  ])('of %s is one that OpenAI takes', (_, schema) => {
    expect(checkRequest(asRequest(schema))).toHaveProperty('request');
  });

  it('closes every object, requires every property, and makes optional ones nullable', () => {
    expect(toStrictSchema(Turn)).toMatchObject({
      additionalProperties: false,
      required: ['edits', 'count', 'nested'],
      properties: {
        edits: {
          items: {
            anyOf: [
              {
                additionalProperties: false,
                required: ['kind', 'path', 'search', 'why'],
                properties: { path: { type: 'string' } },
              },
              { additionalProperties: false, required: ['kind', 'note'] },
            ],
          },
        },
        nested: { anyOf: [{ type: 'object', required: ['when'] }, { type: 'null' }] },
      },
    });
  });

  it.each([
    ['no object', z.string()],
    ['a union at the root', z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ['a record', z.object({ map: z.record(z.string(), z.string()) })],
    ['a tuple', z.object({ pair: z.tuple([z.string(), z.string()]) })],
    ['a free object', z.object({ any: z.looseObject({}) })],
    ['an intersection', z.object({ both: z.intersection(z.string(), z.string().min(3)) })],
  ])('cannot be had of %s', (_, schema) => {
    expect(() => toStrictSchema(schema)).toThrow(TypeError);
  });
});

describe('an answer', () => {
  it('loses the nulls that stand for absent properties, and keeps the others', () => {
    const answer = {
      edits: [
        { kind: 'replace', path: 'a', search: 'b', why: null },
        { kind: 'done', note: null },
      ],
      count: null,
      nested: { when: null },
    };
    const dropped = dropAbsent(Turn, answer);
    expect(dropped).toEqual({
      edits: [
        { kind: 'replace', path: 'a', search: 'b' },
        { kind: 'done', note: null },
      ],
      nested: {},
    });
    expect(Turn.parse(dropped)).toMatchObject({ count: 0 });
    expect(dropAbsent(Turn, { edits: [], count: 1, nested: null })).toEqual({ edits: [], count: 1 });
  });

  it.each([null, 1, 'x', [], { edits: 'x' }, { ['__proto__']: null, edits: [null] }])(
    'of %j passes unchanged',
    (answer) => {
      expect(dropAbsent(Turn, answer)).toEqual(answer);
    },
  );
});
