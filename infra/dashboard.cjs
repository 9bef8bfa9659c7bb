// The dashboard `healer-<stage>`: the golden figures in the order of the flow (lib/flow.ts), a row a stage. Read by the
// Serverless Framework as one of the `resources`.
const SERVICE = 'healer';
const WIDTH = 24;
const HEIGHT = 6;

const ALARMS = [
  'WindowDeadLettersAlarm',
  'EvidenceDeadLettersAlarm',
  'EvaluationDeadLettersAlarm',
  'PublicationDeadLettersAlarm',
  'RemediationDeadLettersAlarm',
  'EvidenceWaitingAlarm',
  'EvaluationWaitingAlarm',
  'PublicationWaitingAlarm',
  'RemediationWaitingAlarm',
  'SweepSilentAlarm',
  'SweepErrorsAlarm',
  'ApiErrorsAlarm',
  'BlindSourcesAlarm',
  'DetectionLagAlarm',
  'PublishFailuresAlarm',
  'IncidentsEscalatedAlarm',
  'BudgetUsedAlarm',
  'BrokerDenialsAlarm',
];

/** What a row is made of, for one stage of the deployment. */
function toParts(stage) {
  const nameOf = (part) => `${SERVICE}-${stage}-${part}`;
  const own = (stat, ...names) => names.map((name) => ['Healer', name, 'service', SERVICE, 'stage', stage, { stat }]);
  const lambda = (stat, name, ...functions) =>
    functions.map((one) => ['AWS/Lambda', name, 'FunctionName', nameOf(one), { stat, label: `${one} ${name}` }]);
  const queue = (name, part, label) => ['AWS/SQS', name, 'QueueName', nameOf(part), { stat: 'Maximum', label }];
  const api = (stat, ...names) => names.map((name) => ['AWS/ApiGateway', name, 'ApiId', '${HttpApi}', { stat }]);
  const graph = (title, ...metrics) => ({ title, metrics: metrics.flat(), view: 'timeSeries', period: 60 });
  const endings = (name) => {
    const metrics = ['Done', 'Postponed', 'Escalated', 'Failed'].map((ending) => `${name}${ending}`);
    return graph('How the work ended', own('Sum', ...metrics));
  };
  const backlog = (name) =>
    graph(
      `The queue ${name}`,
      [queue('ApproximateNumberOfMessagesVisible', name, 'waiting')],
      [queue('ApproximateAgeOfOldestMessage', name, 'oldest, in seconds')],
      [queue('ApproximateNumberOfMessagesVisible', `${name}-dead-letters`, 'dead letters')],
    );
  const health = (...functions) =>
    graph(
      `The function ${functions.join(', ')}`,
      ...['Errors', 'Throttles'].map((name) => lambda('Sum', name, ...functions)),
      lambda('p99', 'Duration', ...functions),
    );
  return { own, api, graph, endings, backlog, health };
}

/** The rows: what they are about, and their graphs from left to right. */
function toRows({ own, api, graph, endings, backlog, health }) {
  return [
    [
      'session: plays are announced and ended',
      graph('Requests', api('Sum', 'Count', '4xx', '5xx'), api('p99', 'Latency')),
      graph('Announcements', own('Sum', 'SessionStarted', 'SessionRepeated', 'SessionEnded')),
      graph('Refusals', own('Sum', 'SessionConflict', 'RepositoryRefused', 'TokenRefused')),
      health('session-write', 'session-read', 'authorize'),
    ],
    [
      'window: the sweep asks for looks',
      graph('What is watched', own('Maximum', 'ActiveSessions', 'BlindSessions', 'BlindSources')),
      graph('Age of the oldest cursor, in seconds', own('Maximum', 'UnprovenLogs')),
      graph('Overdue work that was asked for again', own('Sum', 'WorkResent')),
      health('sweep'),
    ],
    [
      'detection: logs are read, failures found',
      graph('Lines read', own('Sum', 'LinesRead')),
      graph('Findings', own('Sum', 'FindingsStored')),
      graph('From line to finding, in seconds', own('p50', 'DetectionLag'), own('Maximum', 'DetectionLag')),
      endings('Window'),
      backlog('window'),
      health('detect'),
    ],
    ['evidence: what belongs to a failure is gathered', endings('Evidence'), backlog('evidence'), health('gather')],
    [
      'evaluation: the cause is diagnosed',
      endings('Evaluation'),
      graph("The day's budget, in percent", own('Maximum', 'BudgetUsed'), own('Sum', 'BudgetRefused')),
      graph('Models, in USD', own('Sum', 'ModelSpend')),
      backlog('evaluation'),
      health('evaluate'),
    ],
    [
      'publication: issues and pull requests are written',
      endings('Publication'),
      graph('What could not be written', own('Sum', 'PublishFailures', 'BrokerDenied', 'IncidentsEscalated')),
      backlog('publication'),
      health('publish', 'github-token', 'webhook'),
    ],
    ['remediation: a fix is proposed', endings('Remediation'), backlog('remediation'), health('remediate')],
  ];
}

/** Graphs side by side: more than four cannot be read. */
const chunk = (graphs) => {
  const most = graphs.length > 4 ? 3 : 4;
  return Array.from({ length: Math.ceil(graphs.length / most) }, (_, at) => graphs.slice(at * most, (at + 1) * most));
};

/** Lays rows out below each other, each with a heading. */
function layOut(rows, top) {
  const widgets = [];
  let y = top;
  for (const [heading, ...graphs] of rows) {
    widgets.push({ type: 'text', x: 0, y, width: WIDTH, height: 1, properties: { markdown: `### ${heading}` } });
    y += 1;
    for (const line of chunk(graphs)) {
      const width = WIDTH / line.length;
      for (const [column, graph] of line.entries()) {
        const properties = { ...graph, region: '${AWS::Region}' };
        widgets.push({ type: 'metric', x: column * width, y, width, height: HEIGHT, properties });
      }
      y += HEIGHT;
    }
  }
  return widgets;
}

const ALARMS_HEIGHT = 4;

module.exports = async ({ resolveVariable }) => {
  const stage = await resolveVariable('sls:stage');
  const alarms = ALARMS.map((id) => `\${${id}.Arn}`);
  const properties = { title: 'Alarms: docs/operate.md has a paragraph for each', alarms };
  const state = { type: 'alarm', x: 0, y: 0, width: WIDTH, height: ALARMS_HEIGHT, properties };
  const body = { start: '-PT6H', widgets: [state, ...layOut(toRows(toParts(stage)), ALARMS_HEIGHT)] };
  const Properties = { DashboardName: `${SERVICE}-${stage}`, DashboardBody: { 'Fn::Sub': JSON.stringify(body) } };
  return { Resources: { Dashboard: { Type: 'AWS::CloudWatch::Dashboard', Properties } } };
};
