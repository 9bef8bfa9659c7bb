import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readBody } from '../http/requests.ts';
import { type ChatRequest, checkRequest } from './check-request.ts';
import { type ModelFaults, modelFaultSwitches } from './faults.ts';
import { type Asked, completionReply, errorReply, faultyReply, type ModelReply } from './replies.ts';
import { createPlayer, readScript, type ScriptEntry } from './script.ts';

export interface ModelOptions {
  /** Replies, or the path of a JSON file with them. */
  readonly script: readonly ScriptEntry[] | string;
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
  /** Keys that are let in; absent lets in any. */
  readonly keys?: readonly string[];
  /** Models that exist; absent: whatever is asked for. */
  readonly models?: readonly string[];
}

/** Bytes of a request that are read. */
const MAX_REQUEST = 8 * 1024 * 1024;

/** One request that was made, whatever came of it. */
export interface AskedModel {
  readonly authorization: string;
  readonly model: string;
  readonly schema: string | undefined;
  readonly messages: ChatRequest['messages'];
  readonly status: number | null;
}

export interface EmbeddedModel {
  /** Base for OPENAI_BASE_URL: the endpoint is `<url>/chat/completions`. */
  readonly url: string;
  readonly requests: readonly AskedModel[];
  readonly faults: ModelFaults;
  stop(): Promise<void>;
}

/**
 * Starts a server that speaks OpenAI's chat completions on 127.0.0.1 and answers from a script. It is no model: each reply
 * is constructed by whoever wrote the script. Requests that OpenAI would refuse are refused alike.
 * @throws Error when the script is none or the port is taken.
 */
export async function startModel(options: ModelOptions): Promise<EmbeddedModel> {
  const script = typeof options.script === 'string' ? readScript(options.script) : options.script;
  const faults = modelFaultSwitches();
  const requests: AskedModel[] = [];
  const backend: Backend = { options, play: createPlayer(script), faults, requests };
  const server = createServer((request, response) => void handle(backend, request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    faults,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Backend {
  readonly options: ModelOptions;
  readonly play: ReturnType<typeof createPlayer>;
  readonly faults: ReturnType<typeof modelFaultSwitches>;
  readonly requests: AskedModel[];
}

async function handle(backend: Backend, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const bytes = await readBody(request, MAX_REQUEST);
  if (bytes === 'aborted') return;
  const body = typeof bytes === 'string' ? undefined : parseJson(bytes.toString('utf8'));
  const authorization = request.headers.authorization ?? '';
  if (request.method !== 'POST' || request.url !== '/v1/chat/completions') {
    return send(response, errorReply(404, `Invalid URL (${request.method} ${request.url})`));
  }
  const reply = answer(backend, authorization, body);
  if (reply === 'hang') return;
  if (reply === 'disconnect') return void request.socket.destroy();
  send(response, reply);
}

function answer(backend: Backend, authorization: string, body: unknown): ModelReply | 'hang' | 'disconnect' {
  const { options, requests } = backend;
  const [, key = ''] = /^Bearer (.+)$/.exec(authorization) ?? [];
  const isLetIn = key !== '' && (options.keys?.includes(key) ?? true);
  if (!isLetIn) return errorReply(401, 'Incorrect API key provided.', 'invalid_api_key');
  const checked = checkRequest(body);
  if ('message' in checked) return errorReply(400, checked.message, 'invalid_request');
  const { model, messages, response_format } = checked.request;
  const schema = response_format?.json_schema.name;
  const reply = decide(backend, checked.request, schema);
  const status = typeof reply === 'string' ? null : reply.status;
  requests.push({ authorization, model, schema, messages, status });
  return reply;
}

function decide({ options, play, faults, requests }: Backend, request: ChatRequest, schema: string | undefined) {
  const { model, messages } = request;
  if (options.models?.includes(model) === false) {
    return errorReply(404, 'The model does not exist or you do not have access to it.', 'model_not_found');
  }
  const text = messages.map(({ content }) => content).join('\n');
  const limit = request.max_completion_tokens ?? Number.POSITIVE_INFINITY;
  const asked: Asked = { id: `chatcmpl-${requests.length + 1}`, model, text, limit };
  const fault = faults.take(schema);
  const isInPlace = fault !== undefined && fault.kind !== 'usage';
  const scripted = isInPlace ? { text: '' } : play({ model, schema, text });
  if (scripted === undefined)
    return errorReply(400, `No reply is scripted for ${schema ?? 'plain text'}.`, 'unscripted');
  const good = completionReply(asked, scripted);
  if (fault === undefined) return good;
  return faultyReply(asked, fault, good) ?? (fault.kind === 'hang' ? 'hang' : 'disconnect');
}

function send(response: ServerResponse, { status, headers, body }: ModelReply): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
