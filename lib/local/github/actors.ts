import { verify } from 'node:crypto';
import * as z from 'zod';
import { type Answer, fault } from './answer.ts';

/** Who asks. `permissions` and `repositories` are absent for a person, who may do what the seed says. */
export interface Actor {
  readonly login: string;
  readonly isApp: boolean;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly repositories?: readonly string[];
}

const ANONYMOUS: Actor = { login: 'anonymous', isApp: false };
/** GitHub refuses a JWT that lives longer. */
const MAX_JWT_SECONDS = 600;
/** What GitHub lets a clock be off. */
const DRIFT_SECONDS = 60;

const Claims = z.object({ iss: z.union([z.string(), z.number()]), iat: z.number(), exp: z.number() });

const Minted = z.object({
  token: z.string(),
  expires_at: z.string(),
  permissions: z.record(z.string(), z.string()),
  repositories: z.array(z.object({ full_name: z.string() })).optional(),
});

const badJwt = (message = 'A JSON web token could not be decoded'): Answer => fault(401, message);

/**
 * Knows every token, which `emulate` does not: it takes an unknown one for its first user, lets minted ones live for
 * ever, and asks for no JWT where GitHub does.
 */
export function actors(app: { id: string; slug: string; publicKey: string }) {
  const known = new Map<string, Actor & { until: number }>();

  function ofJwt(jwt: string): Actor | Answer {
    const [head = '', payload = '', signature = ''] = jwt.split('.');
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${payload}`),
      app.publicKey,
      Buffer.from(signature, 'base64url'),
    );
    const claims = Claims.safeParse(parseJson(Buffer.from(payload, 'base64url').toString()));
    if (!isSigned || !claims.success || String(claims.data.iss) !== app.id) return badJwt();
    const now = Date.now() / 1000;
    if (claims.data.iat > now + DRIFT_SECONDS) {
      return badJwt("'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued");
    }
    if (claims.data.exp > now + MAX_JWT_SECONDS + DRIFT_SECONDS) {
      return badJwt("'Expiration time' claim ('exp') is too far in the future");
    }
    return claims.data.exp < now ? badJwt() : { login: `app ${app.slug}`, isApp: true };
  }

  return {
    addPerson(login: string, token: string) {
      known.set(token, { login, isApp: false, until: Number.POSITIVE_INFINITY });
    },
    /** Remembers the token of an `access_tokens` answer. */
    addMinted(body: string) {
      const minted = Minted.safeParse(parseJson(body));
      if (!minted.success) return;
      known.set(minted.data.token, {
        login: `${app.slug}[bot]`,
        isApp: false,
        permissions: minted.data.permissions,
        repositories: minted.data.repositories?.map((one) => one.full_name),
        until: Date.parse(minted.data.expires_at),
      });
    },
    /** Ends every token that was minted, as suspending an installation does. */
    revokeMinted() {
      for (const [token, actor] of known) if (actor.permissions !== undefined) known.delete(token);
    },
    /** Who the header speaks for, or GitHub's refusal. */
    of(authorization: string | undefined): Actor | Answer {
      if (authorization === undefined) return ANONYMOUS;
      const token = authorization.replace(/^(bearer|token)\s+/i, '');
      if (token.startsWith('eyJ')) return ofJwt(token);
      const actor = known.get(token);
      return actor !== undefined && actor.until > Date.now() ? actor : fault(401, 'Bad credentials');
    },
  };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
