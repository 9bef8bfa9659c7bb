import { basename } from 'node:path';
import { type TemplateObject, type TemplateValue, toText } from '#lib/local/intrinsics.ts';
import { type Resource, type Template, textOf } from '#lib/local/template.ts';

/** One action on one resource that the role of a function allows. */
export interface Grant {
  /** Name of the function in `serverless.yml`. */
  readonly function: string;
  readonly role: string;
  /** Position of its statement in the role's policies, from 0. */
  readonly statement: number;
  /** In the words of IAM, e.g. `dynamodb:GetItem`; `*` stands for any characters. */
  readonly action: string;
  /** ARN; `*` stands for any characters. */
  readonly resource: string;
}

const listOf = (value: TemplateValue | undefined): readonly TemplateValue[] =>
  value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];

const objects = (value: TemplateValue | undefined): readonly TemplateObject[] =>
  listOf(value) as readonly TemplateObject[];

/** What the role of each function allows, one entry an action and resource. Policies stand in the roles themselves. */
export function listGrants(template: Template): readonly Grant[] {
  const roles = template.of('AWS::IAM::Role');
  return template.of('AWS::Lambda::Function').flatMap((resource) => {
    const role = roles.find(({ logicalId }) => template.attribute(logicalId, 'Arn') === textOf(resource, 'Role'));
    if (role === undefined) throw new Error(`${resource.logicalId} has no role of this template`);
    return grantsOf(nameOf(resource), role);
  });
}

/** The zip is named after the function in `serverless.yml`. */
const nameOf = ({ properties }: Resource): string =>
  basename(toText((properties['Code'] as TemplateObject)['S3Key']), '.zip');

function grantsOf(name: string, { logicalId, properties }: Resource): readonly Grant[] {
  const documents = objects(properties['Policies']).map((policy) => policy['PolicyDocument'] as TemplateObject);
  const statements = documents.flatMap((document) => objects(document['Statement']));
  return statements.flatMap((statement, index) => {
    if (statement['Effect'] !== 'Allow') return [];
    const { Action, Resource: resources } = statement;
    return listOf(Action).flatMap((action) =>
      listOf(resources).map((resource) => ({
        function: name,
        role: logicalId,
        statement: index,
        action: toText(action),
        resource: toText(resource),
      })),
    );
  });
}

/** Whether a text fits a pattern of IAM, in which `*` stands for any characters and `?` for one. */
export function fits(pattern: string, text: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  return new RegExp(`^${source}$`).test(text);
}
