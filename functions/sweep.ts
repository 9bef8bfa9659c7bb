import { measureSweep } from '#lib/edge/measure-sweep.ts';
import { scheduled } from '#lib/edge/schedule.ts';
import { wireSweep } from '#lib/wiring/sweep.ts';

const { sweep } = wireSweep();
export const handler = scheduled(sweep, measureSweep);
