import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { wireDetect } from '#lib/wiring/detect.ts';

const { detectWindow } = wireDetect();
export const handler = sqsBatch('window', detectWindow);
