/** A CloudFormation template's value: JSON in which an object of one key such as `{ "Ref": … }` is an intrinsic. */
export type TemplateValue = string | number | boolean | null | readonly TemplateValue[] | TemplateObject;
export interface TemplateObject {
  readonly [key: string]: TemplateValue;
}

/** What the intrinsics of one template stand for. Each throws an Error that names what it does not know. */
export interface Names {
  readonly ref: (logicalId: string) => string | undefined;
  readonly attribute: (logicalId: string, attribute: string) => string;
}

/** The text of a plain value. @throws Error for a list, an object or nothing */
export function toText(value: TemplateValue | undefined): string {
  if (value === undefined || value === null || typeof value === 'object') {
    throw new Error(`the template has ${JSON.stringify(value)} where a plain value is needed`);
  }
  return String(value);
}

type Resolve = (value: TemplateValue) => TemplateValue | undefined;
type Intrinsic = (argument: TemplateValue, names: Names, resolve: Resolve) => TemplateValue | undefined;

const INTRINSICS: { readonly [key: string]: Intrinsic } = {
  Ref: (id, names) => names.ref(toText(id)),
  'Fn::GetAtt': (argument, names) => {
    const [id = '', ...attribute] = Array.isArray(argument) ? argument.map(toText) : toText(argument).split('.');
    return names.attribute(id, attribute.join('.'));
  },
  'Fn::Join': (argument, _names, resolve) => {
    const [separator, parts] = argument as readonly [string, TemplateValue];
    return (resolve(parts) as readonly TemplateValue[]).map(toText).join(separator);
  },
  'Fn::Sub': (argument, names, resolve) => {
    const [text, own] = typeof argument === 'string' ? [argument, {}] : (argument as [string, TemplateObject]);
    return text.replaceAll(/\$\{([^}]+)\}/g, (_whole, name: string) => substitute(name, own, names, resolve));
  },
};

function substitute(name: string, own: TemplateObject, names: Names, resolve: Resolve): string {
  // `${!Literal}` stands for `${Literal}`.
  if (name.startsWith('!')) return `\${${name.slice(1)}}`;
  if (own[name] !== undefined) return toText(resolve(own[name]));
  const [id = '', attribute] = name.split(/\.(.*)/s);
  return attribute === undefined ? String(names.ref(id)) : names.attribute(id, attribute);
}

/** The key of an intrinsic call, undefined for plain data. */
const intrinsicOf = (value: TemplateObject): string | undefined => {
  const [key, ...others] = Object.keys(value);
  return others.length === 0 && key !== undefined && /^(Ref|Fn::.+)$/.test(key) ? key : undefined;
};

const isObject = (value: TemplateValue): value is TemplateObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value with each intrinsic replaced by what it stands for; what is `AWS::NoValue` is left out. */
export function resolveValue(value: TemplateValue, names: Names): TemplateValue | undefined {
  const resolve: Resolve = (inner) => resolveValue(inner, names);
  if (Array.isArray(value)) return value.map(resolve).filter((inner) => inner !== undefined);
  if (!isObject(value)) return value;
  const key = intrinsicOf(value);
  if (key !== undefined) return INTRINSICS[key]?.(value[key] ?? null, names, resolve);
  const entries = Object.entries(value).map(([name, inner]) => [name, resolve(inner)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, TemplateValue] => entry[1] !== undefined));
}

/** Names of the intrinsics in a value that {@link resolveValue} does not know. */
export function unknownIntrinsics(value: TemplateValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(unknownIntrinsics);
  if (!isObject(value)) return [];
  const key = intrinsicOf(value);
  const own = key !== undefined && !(key in INTRINSICS) ? [key] : [];
  return [...own, ...Object.values(value).flatMap(unknownIntrinsics)];
}
