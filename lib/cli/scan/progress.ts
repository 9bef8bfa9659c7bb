import type { CliIo } from '../command.ts';

const EVERY_MS = 200;

/** One line on a terminal that tells how far a scan is; nothing in a pipe. */
export class Progress {
  readonly #stream: CliIo['stderr'];
  readonly #now: () => number;
  #last = 0;
  #isShown = false;

  /** @param now milliseconds of any clock */
  constructor(stream: CliIo['stderr'], now: () => number) {
    this.#stream = stream;
    this.#now = now;
  }

  show(text: () => string): void {
    if (this.#stream.isTTY !== true) return;
    const now = this.#now();
    if (this.#isShown && now - this.#last < EVERY_MS) return;
    this.#last = now;
    this.#isShown = true;
    this.#stream.write(`\r\u001b[K${text().slice(0, (this.#stream.columns ?? 80) - 1)}`);
  }

  clear(): void {
    if (this.#isShown) this.#stream.write('\r\u001b[K');
    this.#isShown = false;
  }
}
