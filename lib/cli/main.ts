import { runCli } from './run-cli.ts';

const interrupt = new AbortController();
process.once('SIGINT', () => interrupt.abort());
const { stdin, stdout, stderr, env } = process;
process.exitCode = await runCli(process.argv.slice(2), { stdin, stdout, stderr, env, signal: interrupt.signal });
