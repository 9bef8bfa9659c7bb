import { estimate } from '#lib/domain/cost/estimate.ts';
import { estimateModels } from '#lib/domain/cost/model-spend.ts';
import { priceList } from '#lib/domain/cost/prices.ts';
import type { Command } from '../command.ts';
import { toAssumptions } from '../cost/assumptions.ts';
import { LOAD_HELP, parseQuestion } from '../cost/options.ts';
import { renderCost } from '../cost/render-cost.ts';
import { toCostedStage, toModels } from '../cost/to-stage.ts';

const HELP = `
Usage: healer cost [options]

What a deployment costs in a month, by service, in USD, and the model apart. It
asks nobody: prices, with their dates and sources, are in this repository
(lib/domain/cost/prices.json), and so is what each event asks of AWS.

Options:
${LOAD_HELP}

Example: healer cost --sessions 1000
`;

export const command: Command = {
  summary: 'what a deployment costs in a month, by service',
  help: HELP,
  async run(args, io) {
    const question = await parseQuestion(args, io.env);
    const { load, facts, deployment, region } = question;
    const prices = priceList(region);
    const infrastructure = estimate(load, facts, toCostedStage(deployment), prices);
    const models = estimateModels(load, toModels(deployment));
    if (question.isJson) {
      const { lines, transfer, usd, usdPerSession, rates, work } = infrastructure;
      const assumptions = toAssumptions(question, infrastructure);
      const told = { stage: deployment.stage, region, configuration: question.origin, load, currency: 'USD' };
      io.stdout.write(
        `${JSON.stringify({ ...told, usd, usdPerSession, lines, models, transfer, rates, work, assumptions, prices })}\n`,
      );
    } else io.stdout.write(renderCost(question, infrastructure, models));
    return 0;
  },
};
