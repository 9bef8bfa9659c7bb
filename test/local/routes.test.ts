import { describe, expect, it } from 'vitest';
import { findRoute, parseRoute } from '#lib/local/http/routes.ts';

const KEYS = ['$default', 'ANY /a/{rest+}', 'GET /a/{id}', 'GET /a/b', 'ANY /a/b', 'POST /a/{id}/end', 'GET /'];

/** The key of the route that is taken, whatever the order in which the template names them. */
function taken(method: string, path: string): string | undefined {
  const keys = [KEYS, KEYS.toReversed()].map((order) => {
    const routes = order.map((key) => parseRoute(key, undefined));
    return findRoute(routes, method, path)?.route.key;
  });
  expect(keys[0]).toBe(keys[1]);
  return keys[0];
}

describe('findRoute', () => {
  it.each([
    ['GET', '/a/b', 'GET /a/b'],
    ['PUT', '/a/b', 'ANY /a/b'],
    ['GET', '/a/c', 'GET /a/{id}'],
    ['POST', '/a/c', 'ANY /a/{rest+}'],
    ['POST', '/a/c/end', 'POST /a/{id}/end'],
    ['GET', '/a/c/d/e', 'ANY /a/{rest+}'],
    ['GET', '/', 'GET /'],
    ['GET', '/a', '$default'],
    ['GET', '/a/', '$default'],
  ])('%s %s goes to %s', (method, path, key) => {
    expect(taken(method, path)).toBe(key);
  });

  it.each([
    ['GET /a/{id}', '/a/x%2Fy', { id: 'x/y' }],
    ['GET /a/{id}', '/a/%', { id: '%' }],
    ['GET /a/{rest+}', '/a/x/y%20z', { rest: 'x/y z' }],
    ['GET /a/{id}/{rest+}', '/a/1/2/3', { id: '1', rest: '2/3' }],
    ['$default', '/anything', {}],
  ])('%s takes parameters from %s', (key, path, pathParameters) => {
    expect(findRoute([parseRoute(key, undefined)], 'GET', path)?.pathParameters).toEqual(pathParameters);
  });
});
