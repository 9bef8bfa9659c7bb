import { beforeAll, describe, expect, it } from 'vitest';
import { packageFixture } from '#test/support/fixture-service/package-fixture.ts';
import { aTemplate } from '#test/support/template/a-template.ts';
import { type Change, set } from '#test/support/template/change.ts';
import { packageService, readPackage, type ServicePackage } from '#test/support/template/package-service.ts';
import { validationErrors } from '#test/support/template/validate.ts';

let service: ServicePackage;
let fixture: ServicePackage;

beforeAll(async () => {
  [service, fixture] = await Promise.all([packageService(), packageFixture().then(readPackage)]);
});

describe("AWS's validator", () => {
  it('has no error for the packaged service', () => {
    expect(validationErrors(service.template)).toEqual([]);
  });

  it('has no error for the packaged fixture service', () => {
    expect(validationErrors(fixture.template)).toEqual([]);
  });

  it('has no error for the template that the rules are tested on', () => {
    expect(validationErrors(aTemplate())).toEqual([]);
  });

  const FAULTS: readonly (readonly [fault: string, resource: string, change: Change])[] = [
    ['a misspelt property', 'WorkQueue', set('WorkQueue', 'VisibilityTimeOut', 60)],
    ['a missing key schema', 'OrdersTable', set('OrdersTable', 'KeySchema')],
    ['a reference to nothing', 'WorkAlarm', set('WorkAlarm', 'AlarmActions', [{ Ref: 'Nobody' }])],
    [
      'an attribute that does not exist',
      'TickFunction',
      set('TickFunction', 'Role', { 'Fn::GetAtt': ['TickRole', 'Arm'] }),
    ],
  ];

  it.each(FAULTS)('finds %s', (_, resource, change) => {
    const template = aTemplate();
    change(template);
    expect(validationErrors(template)).toContainEqual(expect.stringContaining(` ${resource}: `));
  });
});
