import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { describe, expect, it, vi } from 'vitest';
import { answerOf, toAwsAdvice } from '#lib/cli/stage/aws-advice.ts';
import { toClientConfig } from '#lib/cli/stage/aws-client.ts';
import { ConfigError, ForbiddenError, SourceError } from '#lib/domain/errors.ts';
import { aHttpPeer } from '#test/support/http-peer.ts';

const request = { thing: 'the parameter /healer/prod/x', place: 'eu-central-1', rights: 'ssm:GetParameter' };
const fault = (name: string, message = '', more: object = {}) => Object.assign(new Error(message), { name, ...more });
const DENIAL = 'User: arn:aws:iam::1:user/u is not authorized to perform: kms:Decrypt on resource: arn:aws:kms:1:key/k';

describe('toAwsAdvice', () => {
  it.each([
    [fault('CredentialsProviderError', 'Could not load'), 'AWS took no credentials: set AWS_PROFILE'],
    [fault('CredentialsProviderError', 'The SSO session has expired'), 'have expired: log in again'],
    [fault('UnrecognizedClientException'), 'AWS took no credentials'],
    [fault('InvalidClientTokenId'), 'AWS took no credentials'],
    [fault('ExpiredTokenException'), 'have expired'],
    [fault('AccessDeniedException', DENIAL), 'they need kms:Decrypt on arn:aws:kms:1:key/k'],
    [fault('AccessDenied', 'no'), 'may not use parameter /healer/prod/x: they need ssm:GetParameter'],
    [
      fault('ValidationError', 'Stack with id healer-prod does not exist'),
      'there is no parameter /healer/prod/x in eu-central-1',
    ],
    [fault('ValidationError', 'TemplateBody is invalid'), 'did not answer (ValidationError)'],
    [
      fault('ParameterNotFound'),
      "name the deployment with --stage, and its region in the stage's file, or without that with --region",
    ],
    [fault('ThrottlingException'), 'no more requests'],
    [fault('Error', '', { code: 'ECONNREFUSED' }), 'cannot be reached (ECONNREFUSED)'],
    [fault('Error', '', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }), 'NODE_EXTRA_CA_CERTS'],
    [fault('TimeoutError'), 'cannot be reached (TimeoutError)'],
    [fault('InternalServerError'), 'did not answer (InternalServerError)'],
    ['a string', 'did not answer (no reason given)'],
  ])('of %s says %s', (error, sentence) => {
    const advice = toAwsAdvice(error, request);
    expect(advice).toBeInstanceOf(ConfigError);
    expect(advice.message).toContain(sentence);
  });

  it('looks behind the error of a store, and leaves others of Healer alone', () => {
    const cause = fault('AccessDeniedException');
    const wrapped = new SourceError({ source: 'dynamodb', message: '', retryable: false, advice: '', cause });
    expect(toAwsAdvice(wrapped, request).message).toContain('ssm:GetParameter');
    const own = new ForbiddenError('no');
    expect(toAwsAdvice(own, request)).toBe(own);
  });

  it('says what to do instead, where the caller knows it', () => {
    const known = { ...request, ifMissing: 'put it there', otherwise: 'use --local' };
    expect(toAwsAdvice(fault('ParameterNotFound'), known).message).toMatch(/in eu-central-1: put it there$/);
    expect(toAwsAdvice(fault('CredentialsProviderError'), known).message).toMatch(/; use --local$/);
  });
});

describe('a client of a stage', () => {
  it.each([
    [400, { __type: 'AccessDeniedException', message: DENIAL }, 'kms:Decrypt'],
    [400, { __type: 'ParameterNotFound' }, 'there is no parameter'],
  ])('gets an answer %d %j of AWS told in words', async (status, body, sentence) => {
    const peer = await aHttpPeer((response) => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
    });
    vi.stubEnv('AWS_ENDPOINT_URL', peer.url);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
    const ssm = new SSMClient(toClientConfig({ name: 'prod', region: 'eu-central-1' }));
    const work = ssm.send(new GetParameterCommand({ Name: '/healer/prod/x' }));
    await expect(answerOf(work, request)).rejects.toThrow(sentence);
    ssm.destroy();
    await peer.stop();
    vi.unstubAllEnvs();
  });
});
