import type { TemplateFacts } from './facts.ts';
import type { Load } from './load.ts';
import type { PriceList, PriceName } from './prices.ts';
import { factsOf, HOURS_PER_MONTH, type Rates, staleRuns, toRates } from './rates.ts';
import * as usage from './usage.ts';
import { type Models, readersOf, TOO_SOON, toWork, type Work } from './work.ts';

/** What of a stage's configuration decides its cost. */
export interface CostedStage {
  readonly models: Models;
  /** Subnets of a VPC, each in a zone of its own with a NAT gateway; 0 without a VPC. */
  readonly vpcZones: number;
  readonly logDays: number;
  readonly sessionDays: number;
  readonly lineFilter: 'on' | 'off';
  readonly alarmMail: boolean;
}

/** Money of one thing in a month. */
export interface CostLine {
  readonly service: string;
  readonly item: string;
  readonly price: PriceName;
  readonly quantity: number;
  readonly usd: number;
}

/** Infrastructure of a month; what moves between networks is apart, since it depends on where Loki stands. */
export interface Estimate {
  readonly lines: readonly CostLine[];
  readonly transfer: readonly CostLine[];
  readonly usd: number;
  /** By session that is active all month. */
  readonly usdPerSession: number;
  readonly rates: Rates;
  readonly work: readonly Work[];
}

/** @throws RangeError when the template lacks a function that the model knows */
export function estimate(load: Load, facts: TemplateFacts, stage: CostedStage, list: PriceList): Estimate {
  const rates = toRates(load, facts);
  const work = toWork(load, rates, facts, stage.models);
  const price = toPricer(list);
  const lines = [
    ...lambdaLines(work, facts, price),
    price('API Gateway', 'requests', 'httpApiRequest', requestsOf(work)),
    price('SQS', 'requests', 'sqsRequest', queueRequests(load, rates, facts)),
    ...tableLines(load, rates, work, stage, price),
    price('EventBridge Scheduler', 'invocations', 'schedulerInvocation', rates.sweeps * HOURS_PER_MONTH),
    ...watchLines(work, facts, stage, price),
    secretLine(load, work, facts, price),
    ...natLines(load, rates, stage, price),
  ];
  const usd = lines.reduce((sum, line) => sum + line.usd, 0);
  const transfer = transferLines(load, rates, stage, price);
  return { lines, transfer, usd, usdPerSession: usd / load.sessions, rates, work };
}

type Pricer = (service: string, item: string, name: PriceName, quantity: number) => CostLine;

const toPricer =
  (list: PriceList): Pricer =>
  (service, item, name, quantity) => ({ service, item, price: name, quantity, usd: quantity * list.prices[name].usd });

const sumOf = (work: readonly Work[], value: (each: Work) => number): number =>
  work.reduce((sum, each) => sum + each.times * value(each), 0);

function lambdaLines(work: readonly Work[], facts: TemplateFacts, price: Pricer): readonly CostLine[] {
  return [...Map.groupBy(work, (each) => each.function)].flatMap(([name, own]) => {
    const { memoryMb } = factsOf(facts, name);
    const seconds = sumOf(own, ({ ms }) => (memoryMb / 1024) * (ms / 1000));
    return [
      price('Lambda', `${name}: time`, 'lambdaGbSecond', seconds),
      price(
        'Lambda',
        `${name}: invocations`,
        'lambdaRequest',
        sumOf(own, () => 1),
      ),
    ];
  });
}

const OVER_HTTP = new Set(['session-write', 'session-read', 'webhook']);

const requestsOf = (work: readonly Work[]): number =>
  sumOf(
    work.filter((each) => OVER_HTTP.has(each.function)),
    () => 1,
  );

/** A message is sent, received and deleted, each by a request of its own. */
function queueRequests(load: Load, rates: Rates, facts: TemplateFacts): number {
  const queues = Object.values(facts.functions).filter(({ isQueueFed }) => isQueueFed).length;
  const idle = usage.IDLE_RECEIVES_PER_MINUTE * 60 * queues;
  const ofIncidents = (load.incidentsPerDay / 24) * usage.INCIDENT.messages;
  return (3 * (rates.asked * load.namespaces + ofIncidents) + idle) * HOURS_PER_MONTH;
}

const GB = 1e9;

function tableLines(
  load: Load,
  rates: Rates,
  work: readonly Work[],
  { sessionDays }: CostedStage,
  price: Pricer,
): readonly CostLine[] {
  const { coverage, session, incident } = usage.STORED_BYTES;
  const daily = rates.looks * load.namespaces * 24 * coverage + rates.starts * 24 * session;
  const stored = (daily * sessionDays + load.incidentsPerDay * 365 * incident) / GB;
  return [
    price(
      'DynamoDB',
      'writes',
      'dynamoWrite',
      sumOf(work, ({ writes }) => writes),
    ),
    price(
      'DynamoDB',
      'reads',
      'dynamoRead',
      sumOf(work, ({ reads }) => reads),
    ),
    price('DynamoDB', 'storage', 'dynamoStorage', stored),
    price('DynamoDB', 'point-in-time backup', 'dynamoBackup', stored),
  ];
}

const asksModels = ({ models }: CostedStage): boolean => models.evaluation || models.remediation;

function watchLines(
  work: readonly Work[],
  facts: TemplateFacts,
  stage: CostedStage,
  price: Pricer,
): readonly CostLine[] {
  const logs = sumOf(work, ({ logBytes }) => usage.LOG_BYTES.platform + logBytes) / GB;
  return [
    price('CloudWatch', 'logs taken in', 'logsGb', logs),
    price('CloudWatch', 'logs kept', 'logsStorage', (logs * stage.logDays * 24) / HOURS_PER_MONTH),
    price('CloudWatch', 'metrics', 'metric', facts.metrics + (asksModels(stage) ? facts.modelMetrics : 0)),
    price('CloudWatch', 'alarms', 'alarm', facts.alarmMetrics),
    price('CloudWatch', 'dashboards', 'dashboard', facts.dashboards),
    price('SNS', 'mails of alarms', 'snsEmail', stage.alarmMail ? 100 : 0),
  ];
}

/** Every function that signs in somewhere reads its secrets; KMS decrypts each. */
function secretLine(load: Load, work: readonly Work[], facts: TemplateFacts, price: Pricer): CostLine {
  const reads = Object.entries(usage.SECRETS).map(([name, secrets]) => {
    const runs = sumOf(
      work.filter((each) => each.function === name && each.event !== TOO_SOON),
      () => 1,
    );
    const workers = name === 'detect' ? readersOf(load, facts) : (factsOf(facts, name).maxConcurrency ?? 1);
    return secrets * staleRuns(runs / HOURS_PER_MONTH, workers, usage.SECRET_KEPT_MINUTES);
  });
  const hourly = reads.reduce((sum, count) => sum + count, 0);
  return price('SSM and KMS', 'secrets decrypted', 'kmsRequest', hourly * HOURS_PER_MONTH);
}

/** GB that Loki sends in a month: each look reads the overlap again. */
function lokiGb(load: Load, rates: Rates, lineFilter: 'on' | 'off'): number {
  const share = lineFilter === 'on' ? usage.MATCHED_SHARE : 1;
  const minutesRead = usage.READ_AGAIN_MINUTES * rates.looks + 60;
  const lines = load.sessions * load.linesPerMinute * minutesRead * share;
  return (lines * usage.LINE_BYTES * usage.GZIP_SHARE * HOURS_PER_MONTH) / GB;
}

function natLines(load: Load, rates: Rates, stage: CostedStage, price: Pricer): readonly CostLine[] {
  if (stage.vpcZones === 0) return [];
  return [
    price('NAT', 'gateways', 'natHour', stage.vpcZones * HOURS_PER_MONTH),
    price('NAT', 'GB through them', 'natGb', lokiGb(load, rates, stage.lineFilter)),
  ];
}

function transferLines(load: Load, rates: Rates, stage: CostedStage, price: Pricer): readonly CostLine[] {
  const gb = lokiGb(load, rates, stage.lineFilter);
  return [
    price('Data transfer', 'if Loki is in another zone of the same region', 'transferZoneGb', gb),
    price('Data transfer', 'if Loki is in AWS and answers over the internet', 'transferOutGb', gb),
  ];
}
