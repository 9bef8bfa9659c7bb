import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { ACCOUNT } from '../resource-types.ts';
import { type Authorizer, FORBIDDEN } from './authorization.ts';
import type { HttpRequest } from './event.ts';

/** The one pair of AWS credentials that the local stack knows. */
export interface KnownCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** A signature holds this long before and after its time. */
const SKEW_MS = 5 * 60_000;

const FORM =
  /^AWS4-HMAC-SHA256 Credential=(?<key>[\w-]+)\/(?<date>\d{8})\/(?<region>[\w-]+)\/execute-api\/aws4_request, ?SignedHeaders=(?<signed>[\w;-]+), ?Signature=(?<signature>[0-9a-f]{64})$/;

/**
 * Authorization of type AWS_IAM: Signature Version 4 of the service execute-api, made with the stack's own credentials.
 * What IAM policies say is not looked at: who signs rightly may do all. Everything else is a 403, as at API Gateway.
 */
export function createIamAuthorizer(known: KnownCredentials, region: string): Authorizer {
  return async ({ request }) => {
    const parts = FORM.exec(request.headers.authorization ?? '')?.groups;
    const time = String(request.headers['x-amz-date'] ?? '');
    if (parts === undefined || parts['key'] !== known.accessKeyId || parts['region'] !== region) return FORBIDDEN;
    if (!time.startsWith(parts['date'] ?? '') || Math.abs(Date.now() - toMillis(time)) >= SKEW_MS) return FORBIDDEN;
    const signed = String(parts['signed']).split(';');
    if (!signed.includes('host') || !signed.includes('x-amz-date')) return FORBIDDEN;
    const expected = sign(request, { signed, time, region, secret: known.secretAccessKey });
    if (!timingSafeEqual(expected, Buffer.from(String(parts['signature']), 'hex'))) return FORBIDDEN;
    const userArn = `arn:aws:iam::${ACCOUNT}:user/local`;
    return { context: { iam: { accessKey: known.accessKeyId, accountId: ACCOUNT, callerId: 'local', userArn } } };
  };
}

/** `20261130T120000Z`; NaN for anything else, which compares false. */
const toMillis = (time: string): number =>
  Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

interface Signing {
  readonly signed: readonly string[];
  readonly time: string;
  readonly region: string;
  readonly secret: string;
}

const hmac = (key: Buffer | string, text: string): Buffer => createHmac('sha256', key).update(text).digest();
const sha256 = (data: Buffer | string): string => createHash('sha256').update(data).digest('hex');

/** The signature of a request, by the steps of "Create a signed AWS API request" in the IAM User Guide. */
function sign(request: HttpRequest, { signed, time, region, secret }: Signing): Buffer {
  const date = time.slice(0, 8);
  const scope = `${date}/${region}/execute-api/aws4_request`;
  const text = ['AWS4-HMAC-SHA256', time, scope, sha256(canonicalRequest(request, signed))].join('\n');
  const key = [date, region, 'execute-api', 'aws4_request'].reduce<Buffer | string>(hmac, `AWS4${secret}`);
  return hmac(key, text);
}

function canonicalRequest({ method, url, headers, body }: HttpRequest, signed: readonly string[]): string {
  const [path = '/', query = ''] = url.split(/\?(.*)/s);
  const lines = signed.map((name) => `${name}:${[headers[name]].flat().join(',').trim().replace(/ +/g, ' ')}\n`);
  // Every service but S3 encodes the path's segments once more.
  const canonicalPath = path.split('/').map(encode).join('/');
  return [method, canonicalPath, canonicalQuery(query), lines.join(''), signed.join(';'), sha256(body)].join('\n');
}

const canonicalQuery = (query: string): string =>
  [...new URLSearchParams(query)]
    .map(([name, value]) => `${encode(name)}=${encode(value)}`)
    .sort()
    .join('&');

const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
