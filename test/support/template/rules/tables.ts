import { ofType, property, type Resource, type Template, type Violation } from '../template.ts';

function check(rule: string, message: string, isRight: (table: Resource) => boolean, template: Template): Violation[] {
  const wrong = ofType(template, 'AWS::DynamoDB::Table').filter(([, table]) => !isRight(table));
  return wrong.map(([resource]) => ({ rule, resource, message }));
}

/** A table can be restored to any second of the last 35 days. */
export function recoversTables(template: Template): Violation[] {
  const message = 'set PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled: true';
  const path = ['PointInTimeRecoverySpecification', 'PointInTimeRecoveryEnabled'] as const;
  return check('recoversTables', message, (table) => property(table, ...path) === true, template);
}

/** Items go by themselves: no table grows for ever. */
export function expiresItems(template: Template): Violation[] {
  const isExpiring = (table: Resource) =>
    property(table, 'TimeToLiveSpecification', 'Enabled') === true &&
    typeof property(table, 'TimeToLiveSpecification', 'AttributeName') === 'string';
  return check('expiresItems', 'set TimeToLiveSpecification with Enabled: true', isExpiring, template);
}

/** Encryption by a KMS key, so that reads of it leave a trace; DynamoDB's default key leaves none. */
export function encryptsTables(template: Template): Violation[] {
  const message = 'set SSESpecification.SSEEnabled: true';
  return check(
    'encryptsTables',
    message,
    (table) => property(table, 'SSESpecification', 'SSEEnabled') === true,
    template,
  );
}

/** A removed or replaced stack leaves its data. */
export function retainsTables(template: Template): Violation[] {
  const isRetained = (table: Resource) => table.DeletionPolicy === 'Retain' && table.UpdateReplacePolicy === 'Retain';
  return check('retainsTables', 'set DeletionPolicy and UpdateReplacePolicy to Retain', isRetained, template);
}
