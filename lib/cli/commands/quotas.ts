import { toQuotas } from '#lib/domain/cost/quotas.ts';
import type { Command } from '../command.ts';
import { LOAD_HELP, parseQuestion } from '../cost/options.ts';
import { renderQuotas } from '../cost/render-quotas.ts';
import { toLimitedStage } from '../cost/to-stage.ts';

const HELP = `
Usage: healer quotas [options]

Which limit of AWS, GitHub, Loki or the model is met first if there were more
sessions, and with how many; the others follow in order, each with what to do.
Exit code 1: one of them is passed with the load as it is.

Options:
${LOAD_HELP}

Example: healer quotas --sessions 1000
`;

export const command: Command = {
  summary: 'which limit of AWS, GitHub, Loki or the model is met first',
  help: HELP,
  async run(args, io) {
    const question = await parseQuestion(args, io.env);
    const { load, facts, deployment, region } = question;
    const quotas = toQuotas(load, facts, toLimitedStage(deployment));
    const told = quotas.map(({ limit, ...quota }) => ({ ...limit, ...quota }));
    if (question.isJson) {
      const of = { stage: deployment.stage, region, configuration: question.origin, load };
      io.stdout.write(`${JSON.stringify({ ...of, quotas: told })}\n`);
    } else io.stdout.write(renderQuotas(question, quotas));
    return quotas.some(({ share }) => share >= 1) ? 1 : 0;
  },
};
