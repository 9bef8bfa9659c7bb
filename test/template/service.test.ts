import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageFixture } from '#test/support/fixture-service/package-fixture.ts';
import { packageService, readPackage, type ServicePackage } from '#test/support/template/package-service.ts';
import { findViolations } from '#test/support/template/rules.ts';
import { ofType } from '#test/support/template/template.ts';
import { MAX_ZIP_BYTES } from '../../scripts/size-package.ts';

let service: ServicePackage;
let fixture: ServicePackage;

beforeAll(async () => {
  [service, fixture] = await Promise.all([packageService(), packageFixture().then(readPackage)]);
});

describe('the packaged service', () => {
  it('keeps the template rules', async () => {
    expect(await findViolations(service.template)).toEqual([]);
  });

  it('has one zip a function, each under the ceiling', () => {
    const zips = readdirSync(service.dir).filter((name) => name.endsWith('.zip'));
    expect(zips).toHaveLength(ofType(service.template, 'AWS::Lambda::Function').length);
    expect(zips.filter((name) => statSync(join(service.dir, name)).size > MAX_ZIP_BYTES)).toEqual([]);
  });
});

describe('the packaged fixture service', () => {
  it('keeps the template rules', async () => {
    expect(await findViolations(fixture.template, ['GET /open'])).toEqual([]);
  });
});
