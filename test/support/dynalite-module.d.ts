/** dynalite ships no types. */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  export default function dynalite(options?: { createTableMs?: number; deleteTableMs?: number; path?: string }): Server;
}
