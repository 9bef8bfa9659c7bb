import { measureDetection } from '#lib/edge/measure-detection.ts';
import { withProbe } from '#lib/edge/probe.ts';
import { sqsBatch } from '#lib/edge/sqs-batch.ts';
import { wireDetect } from '#lib/wiring/detect.ts';

const { detectWindow, probeSources } = wireDetect();
export const handler = withProbe(probeSources, sqsBatch('window', detectWindow, measureDetection));
