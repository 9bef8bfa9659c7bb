import { createServer as createPlain, type RequestListener } from 'node:http';
import { createServer as createSecure } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createFaults, type KubernetesFaults } from './faults.ts';
import { handleRequest, type KubernetesBackend } from './handle-request.ts';
import { createStore, type KubernetesObject } from './store.ts';

export interface KubernetesOptions {
  /** Port on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
  /** The bearer token that is taken. */
  readonly token?: string;
  /** Key and certificate, both PEM; without them plain http, which clients take on loopback only. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** What the server was asked. */
export interface KubernetesRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
}

/** A running API server with namespaced reads, as far as Healer uses them; it holds what is put into it. */
export interface EmbeddedKubernetes {
  readonly url: string;
  readonly token: string;
  readonly faults: KubernetesFaults;
  readonly requests: readonly KubernetesRequest[];
  put(...objects: readonly KubernetesObject[]): void;
  remove(kind: string, namespace: string, name: string): void;
  /** Takes the right to read a resource away (403), e.g. `coderuns` or `events.k8s.io/events`. */
  deny(resource: string): void;
  /** Gives it back. */
  allow(resource: string): void;
  /** The custom resource definition is not installed: a 404 in plain text. */
  uninstall(plural: string): void;
  stop(): Promise<void>;
}

const TOKEN = 'embedded-kubernetes-token';
/** Starts the server on 127.0.0.1. @throws when the port is taken. */
export async function startKubernetes(options: KubernetesOptions = {}): Promise<EmbeddedKubernetes> {
  const backend: KubernetesBackend = {
    store: createStore(),
    faults: createFaults(),
    denied: new Set(),
    unknown: new Set(),
    requests: [],
    token: options.token ?? TOKEN,
  };
  const listener: RequestListener = (request, response) => void handleRequest(backend, request, response);
  const server = options.tls === undefined ? createPlain(listener) : createSecure(options.tls, listener);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    token: backend.token,
    faults: backend.faults,
    requests: backend.requests,
    put: (...objects) => objects.forEach((object) => backend.store.put(object)),
    remove: (kind, namespace, name) => backend.store.remove(kind, namespace, name),
    deny: (resource) => void backend.denied.add(resource),
    allow: (resource) => void backend.denied.delete(resource),
    uninstall: (plural) => void backend.unknown.add(plural),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
