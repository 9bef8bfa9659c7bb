declare module 'dynalite' {
  import type { Server } from 'node:http';

  interface Options {
    readonly createTableMs?: number;
    readonly deleteTableMs?: number;
    readonly updateTableMs?: number;
    /** Folder of the LevelDB store; in memory without one. */
    readonly path?: string | undefined;
  }

  export default function dynalite(options?: Options): Server;
}
