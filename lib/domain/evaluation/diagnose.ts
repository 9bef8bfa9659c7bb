import type { EvidencePack } from '../evidence/evidence-pack.ts';
import { explainCredentials, explainPermission } from './diagnosers/access.ts';
import { explainConfiguration } from './diagnosers/configuration.ts';
import { explainExit, explainFatal, explainPanic, explainProgram } from './diagnosers/crash.ts';
import { explainDelivery } from './diagnosers/delivery.ts';
import {
  explainDisk,
  explainEviction,
  explainImage,
  explainMemory,
  explainMount,
  explainScheduling,
} from './diagnosers/kubernetes.ts';
import {
  explainContainerConfig,
  explainCreate,
  explainDeadline,
  explainInit,
  explainNoResult,
} from './diagnosers/kubernetes-run.ts';
import { explainPrompt, explainRole, explainTask, explainTemplate } from './diagnosers/lifecycle.ts';
import { explainContext, explainModel, explainQuota, explainRetries } from './diagnosers/limits.ts';
import { explainMcp, explainToolsServer } from './diagnosers/mcp.ts';
import { explainDns, explainRefused, explainSilent, explainTimeout, explainTls } from './diagnosers/network.ts';
import { explainTools } from './diagnosers/tools.ts';
import { explainUnknown } from './diagnosers/unknown.ts';
import type { Diagnosis } from './diagnosis.ts';
import { type Explanation, toDiagnosis } from './explanation.ts';
import { type Family, familyOf } from './families.ts';
import { type Subject, toSubject } from './subject.ts';

const DIAGNOSERS: Readonly<Record<Family, (subject: Subject) => Explanation>> = {
  tools: explainTools,
  'tools-server': explainToolsServer,
  mcp: explainMcp,
  configuration: explainConfiguration,
  template: explainTemplate,
  prompt: explainPrompt,
  role: explainRole,
  task: explainTask,
  memory: explainMemory,
  eviction: explainEviction,
  image: explainImage,
  scheduling: explainScheduling,
  mount: explainMount,
  'container-config': explainContainerConfig,
  deadline: explainDeadline,
  init: explainInit,
  'no-result': explainNoResult,
  create: explainCreate,
  disk: explainDisk,
  exit: explainExit,
  program: explainProgram,
  delivery: explainDelivery,
  dns: explainDns,
  tls: explainTls,
  refused: explainRefused,
  timeout: explainTimeout,
  silent: explainSilent,
  context: explainContext,
  quota: explainQuota,
  model: explainModel,
  retries: explainRetries,
  credentials: explainCredentials,
  permission: explainPermission,
  panic: explainPanic,
  fatal: explainFatal,
  unknown: explainUnknown,
};

/**
 * The deterministic diagnosis: why the agent failed and what to do, by rules alone. Every claim cites pieces of the pack
 * that say what it quotes; a pack without the failing line gives `not provable`. Commands hold names from the pack only
 * where they are plain words; everything else is a placeholder in capitals.
 */
export function diagnose(pack: EvidencePack): Diagnosis {
  const subject = toSubject(pack);
  return toDiagnosis(subject, DIAGNOSERS[familyOf(pack.finding, subject.text)](subject));
}
