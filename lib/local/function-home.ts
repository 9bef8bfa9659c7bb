import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join, normalize } from 'node:path';
import { pathToFileURL } from 'node:url';
import { unzipSync } from 'fflate';
import type { FunctionSpec } from './function-specs.ts';

/** An unpacked function: where its code lies and what it exports. */
export interface FunctionHome {
  readonly directory: string;
  /** URL of the module with the handler. */
  readonly file: string;
  readonly exportName: string;
}

/** Unpacks a function's zip below `directory`. @throws Error when the handler's file is not in it. */
export function unpackFunction(spec: FunctionSpec, directory: string): FunctionHome {
  const home = join(directory, spec.name);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  // Bundles are CommonJS; without this a package.json further up decides what `.js` means.
  writeFileSync(join(home, 'package.json'), '{"type":"commonjs"}\n');
  for (const [name, bytes] of Object.entries(unzipSync(readFileSync(spec.zip)))) {
    const target = join(home, normalize(`/${name}`));
    mkdirSync(name.endsWith('/') ? target : dirname(target), { recursive: true });
    if (!name.endsWith('/')) writeFileSync(target, bytes);
  }
  const dot = spec.handler.lastIndexOf('.');
  const module = join(home, spec.handler.slice(0, dot));
  const file = ['.js', '.mjs', '.cjs'].map((extension) => module + extension).find((path) => existsSync(path));
  if (file === undefined) throw new Error(`the zip of ${spec.name} holds no module for its handler ${spec.handler}`);
  return { directory: home, file: pathToFileURL(file).href, exportName: spec.handler.slice(dot + 1) };
}

/** Variables of the template that the runner gives another value, e.g. the address of an embedded Loki. */
export type Overrides = { readonly [variable: string]: string };

/**
 * The whole environment of a function: what the template says, what Lambda adds, and where the local services are.
 * Nothing of the host's environment reaches it. An override counts only for a function whose template has the variable,
 * so that one which is missing there is missing here.
 */
export function functionEnvironment(
  spec: FunctionSpec,
  home: FunctionHome,
  options: { region: string; endpoint: string; overrides: Overrides },
): { readonly [name: string]: string } {
  const own = Object.entries(spec.environment).map(([name, value]) => [name, options.overrides[name] ?? value]);
  return {
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(spec.memoryMb),
    AWS_LAMBDA_FUNCTION_NAME: spec.fullName,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${spec.fullName}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_REGION: options.region,
    AWS_DEFAULT_REGION: options.region,
    LAMBDA_TASK_ROOT: home.directory,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    _HANDLER: spec.handler,
    ...Object.fromEntries(own),
    ...credentialsOf(spec.name),
    // No profile of the host's user is read either.
    AWS_CONFIG_FILE: devNull,
    AWS_SHARED_CREDENTIALS_FILE: devNull,
    // What has no address of its own goes to the endpoint as well, which refuses what it does not know.
    AWS_ENDPOINT_URL: options.endpoint,
    AWS_ENDPOINT_URL_DYNAMODB: options.endpoint,
    AWS_ENDPOINT_URL_LAMBDA: options.endpoint,
    AWS_ENDPOINT_URL_SQS: options.endpoint,
    AWS_ENDPOINT_URL_SSM: options.endpoint,
  };
}

/** The access key id is the function's name: the endpoint attributes calls by it. */
const credentialsOf = (name: string) => ({ AWS_ACCESS_KEY_ID: name, AWS_SECRET_ACCESS_KEY: 'local' });
