import { type Check, must } from '../check.ts';
import type { Deployment } from '../deployment.ts';

const indent = (text: string): string =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => `\n            ${line}`)
    .join('');

/** What `healer doctor` printed, whatever it ended with. */
async function examine({ service }: Deployment): Promise<{ readonly code: string; readonly text: string }> {
  try {
    return { code: '0', text: await service.healer('doctor') };
  } catch (error) {
    const [, code = '', text = ''] = /ended with (\S+):\n([^]*)/.exec((error as Error).message) ?? [];
    return { code, text };
  }
}

/** The words of an operator who asks how the deployment is. */
export const EXAMINED: readonly Check[] = [
  {
    name: 'healer doctor finds everything well',
    functions: ['detect'],
    advice: 'Each line that is not ok says what to do.',
    async run(deployment) {
      const { code, text } = await examine(deployment);
      must(code === '0' && !/^(WRONG|unknown) /m.test(text), `it ended with ${code}:${indent(text)}`);
      return indent(text);
    },
  },
  {
    name: 'healer doctor says that detect cannot reach Loki',
    functions: ['detect'],
    advice: 'detect must answer the probe within its time, with what Loki did and what to do.',
    async run(deployment) {
      deployment.loki.faults.use('down');
      const { code, text } = await examine(deployment);
      deployment.loki.faults.clear();
      const faults = text.split('\n').filter((line) => line.startsWith('WRONG'));
      must(code === '1' && faults.length === 1, `it ended with ${code}:${indent(text)}`);
      must(/^WRONG +Loki +detect cannot ask it: /.test(faults[0] ?? ''), `it says ${faults[0]}`);
      return faults.join();
    },
  },
];
