import { list, ofType, property, record, type Template } from './template.ts';

const SERVICES: Readonly<Record<string, { service: string; prefix: string; name: string }>> = {
  'AWS::Lambda::Function': { service: 'lambda', prefix: 'function:', name: 'FunctionName' },
  'AWS::SQS::Queue': { service: 'sqs', prefix: '', name: 'QueueName' },
  'AWS::DynamoDB::Table': { service: 'dynamodb', prefix: 'table/', name: 'TableName' },
};

/** The ARN of a named resource, with pseudo parameters left in: `arn:${AWS::Partition}:sqs:…:healer-dev-window`. */
export function arnOf(template: Template, id: string): string {
  const resource = template.Resources[id];
  const service = SERVICES[resource?.Type ?? ''];
  const name = service && property(resource, service.name);
  if (!service || typeof name !== 'string') return `\${${id}.Arn}`;
  const { service: prefix, prefix: type } = service;
  return `arn:\${AWS::Partition}:${prefix}:\${AWS::Region}:\${AWS::AccountId}:${type}${name}`;
}

function substitute(template: Template, text: string, values: Readonly<Record<string, unknown>>): string {
  return text.replace(/\$\{([^!}]+)\}/g, (_, name: string) => {
    if (name in values) return toText(template, values[name]);
    if (!name.includes('.')) return toText(template, { Ref: name });
    return toText(template, { 'Fn::GetAtt': name.split('.') });
  });
}

/**
 * The value as text, so that two ways of naming one resource compare equal: `Ref`, `GetAtt`, `Sub` and `Join` are
 * resolved as far as the template tells, and what only AWS knows stays as `${AWS::Region}` or `${Id.Attribute}`.
 */
export function toText(template: Template, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return String(value);
  const [[kind, argument] = []] = Object.entries(record(value));
  if (kind === 'Ref') {
    const fallback = template.Parameters?.[String(argument)]?.Default;
    return fallback === undefined ? `\${${String(argument)}}` : toText(template, fallback);
  }
  if (kind === 'Fn::GetAtt') {
    const [id, ...path] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
    return path.join('.') === 'Arn' ? arnOf(template, id ?? '') : `\${${[id, ...path].join('.')}}`;
  }
  if (kind === 'Fn::Sub') {
    const [text, values] = list(argument);
    return substitute(template, String(text), record(values));
  }
  if (kind === 'Fn::Join') {
    const [separator, parts] = list(argument);
    return list(parts)
      .map((part) => toText(template, part))
      .join(String(separator));
  }
  return JSON.stringify(value) ?? '';
}

/** The logical id of the resource of that type which the value names by ARN, by name or by `Ref`. */
export function idOf(template: Template, type: string, value: unknown): string | undefined {
  const text = toText(template, value);
  const found = ofType(template, type).find(([id]) =>
    [arnOf(template, id), `\${${id}}`, `\${${id}.Arn}`].includes(text),
  );
  return found?.[0];
}
