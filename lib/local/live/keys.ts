import type { ReadStream } from 'node:tty';

const CTRL_C = '\u0003';

/**
 * Calls back for the key `f`: at once on a terminal, else for a line that is nothing but `f`. On a terminal Ctrl-C is
 * passed on as a signal. Returns a function that ends it.
 */
export function onFileKey(input: ReadStream, file: () => void): () => void {
  const isTerminal = input.isTTY;
  const hear = (text: string): void => {
    if (isTerminal && text.includes(CTRL_C)) process.kill(process.pid, 'SIGINT');
    else if (text.trim() === 'f') file();
  };
  if (isTerminal) input.setRawMode(true);
  input.setEncoding('utf8').on('data', hear);
  return () => {
    input.off('data', hear).pause();
    if (isTerminal) input.setRawMode(false);
  };
}
