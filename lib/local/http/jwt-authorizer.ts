import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { type Resource, textOf } from '../template.ts';
import { type Authorizer, parseIdentitySource, type Verdict } from './authorization.ts';
import { gatewayAnswer, INTERNAL_ERROR } from './response.ts';

/** API Gateway checks RSA signatures only. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512'];
/** All headers of a request to API Gateway have at most this many bytes, so no token is longer. */
const MAX_TOKEN_BYTES = 10_240;
/** API Gateway keeps an issuer's keys this long. */
const KEYS_KEPT_MS = 2 * 3_600_000;

/**
 * The JWT authorizer of an HTTP API: signature by the keys that the issuer publishes, `iss`, `aud` (or `client_id`, where
 * there is no `aud`), `exp`, `nbf` and `iat`. An issuer that does not answer lets nobody in.
 *
 * @throws Error naming the authorizer when its issuer is neither https nor on this machine.
 */
export function createJwtAuthorizer(resource: Resource): Authorizer {
  const { Issuer: issuer, Audience: audience } = configurationOf(resource);
  const source = parseIdentitySource(identityOf(resource));
  let keys: Promise<JWTVerifyGetKey> | undefined;
  return async ({ event }) => {
    const token = source(event).replace(/^Bearer\s+/i, '');
    if (token === '' || Buffer.byteLength(token) > MAX_TOKEN_BYTES) return refuse('the token is missing or malformed');
    try {
      keys ??= findKeys(issuer);
      const { payload, protectedHeader } = await jwtVerify(token, await keys, {
        issuer,
        algorithms: ALGORITHMS,
        requiredClaims: ['exp'],
        currentDate: new Date(),
      });
      if (protectedHeader.kid === undefined) return refuse('the token does not name its key');
      if (!isFor(payload, audience)) return refuse('the token does not have a valid audience');
      if (payload.iat !== undefined && payload.iat * 1000 > Date.now()) return refuse('the token is from the future');
      return { context: { jwt: { claims: toClaims(payload), scopes: null } } };
    } catch (error) {
      if (error instanceof errors.JOSEError && !(error instanceof errors.JWKSTimeout))
        return refuse('the token is not valid');
      keys = undefined;
      return { refusal: INTERNAL_ERROR };
    }
  };
}

interface JwtConfiguration {
  readonly Issuer: string;
  readonly Audience: readonly string[];
}

function configurationOf({ logicalId, properties }: Resource): JwtConfiguration {
  const configuration = properties['JwtConfiguration'] as unknown as Partial<JwtConfiguration> | undefined;
  const { Issuer = '', Audience = [] } = configuration ?? {};
  const { protocol, hostname } = URL.parse(Issuer) ?? { protocol: '', hostname: '' };
  const isSafe =
    protocol === 'https:' || (protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname));
  if (!isSafe || Audience.length === 0)
    throw new Error(`authorizer ${logicalId} needs an audience, and an issuer that is https or on this machine`);
  return { Issuer, Audience };
}

/** CloudFormation takes a list of one. */
const identityOf = (resource: Resource): string => {
  const source = resource.properties['IdentitySource'];
  return Array.isArray(source) ? String(source[0]) : textOf(resource, 'IdentitySource');
};

/** The issuer's discovery document names its keys. */
async function findKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const answer = await fetch(discovery, { signal: AbortSignal.timeout(5_000) });
  const { jwks_uri: uri } = (await answer.json()) as { jwks_uri?: unknown };
  return createRemoteJWKSet(new URL(String(uri)), { cacheMaxAge: KEYS_KEPT_MS });
}

const isFor = ({ aud, client_id: clientId }: JWTPayload, audience: readonly string[]): boolean =>
  [aud ?? clientId].flat().some((name) => typeof name === 'string' && audience.includes(name));

/** Functions see every claim as text. */
const toClaims = (payload: JWTPayload): { readonly [claim: string]: string } =>
  Object.fromEntries(
    Object.entries(payload).map(([claim, value]) => [
      claim,
      Array.isArray(value) ? `[${value.join(' ')}]` : String(value),
    ]),
  );

function refuse(description: string): Verdict {
  const challenge = `Bearer scope="" error="invalid_token" error_description="${description}"`;
  const answer = gatewayAnswer(401, 'Unauthorized');
  return { refusal: { ...answer, headers: { ...answer.headers, 'www-authenticate': challenge } } };
}
