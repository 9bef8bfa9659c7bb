// The dashboard `healer-<stage>`: the golden figures in the order of the flow (lib/flow.ts), a row a stage. Read by the
// Serverless Framework as one of the `resources`. Metrics are what AWS measures and what an alarm watches; Healer's other
// figures (lib/metrics.ts) are read from the logs of the functions that write them.
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
  const figures = (aggregate, title, functions, ...names) => {
    const sources = functions.map((one) => `SOURCE '/aws/lambda/${nameOf(one)}'`);
    const isTold = names.map((name) => `ispresent(figures.${name})`).join(' or ');
    const columns = names.map((name) => `${aggregate}(figures.${name}) as ${name}`).join(', ');
    const query = [...sources, `filter ${isTold}`, `stats ${columns} by bin(5m)`].join(' | ');
    return { title, query, view: 'timeSeries', stacked: false };
  };
  const sums = (...words) => figures('sum', ...words);
  const peaks = (...words) => figures('max', ...words);
  const endings = (name, consumer) => {
    const names = ['Done', 'Postponed', 'Escalated', 'Failed'].map((ending) => `${name}${ending}`);
    return sums('How the work ended', [consumer], ...names);
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
  return { own, api, graph, sums, peaks, endings, backlog, health };
}

/** The rows: what they are about, and their graphs from left to right. */
function toRows({ own, api, graph, sums, peaks, endings, backlog, health }) {
  const models = ['evaluate', 'remediate'];
  return [
    [
      'session: plays are announced and ended',
      graph('Requests', api('Sum', 'Count', '4xx', '5xx'), api('p99', 'Latency')),
      sums('Announcements', ['session-write'], 'SessionStarted', 'SessionRepeated', 'SessionEnded'),
      sums('Refusals', ['session-write', 'authorize'], 'SessionConflict', 'RepositoryRefused', 'TokenRefused'),
      health('session-write', 'session-read', 'authorize'),
    ],
    [
      'window: the sweep asks for looks',
      peaks('What is watched', ['sweep'], 'ActiveSessions', 'BlindSessions'),
      graph('Namespaces that cannot be seen', own('Maximum', 'BlindSources')),
      peaks('Age of the oldest cursor, in seconds', ['sweep'], 'UnprovenLogs'),
      sums('Overdue work that was asked for again', ['sweep'], 'WorkResent'),
      health('sweep'),
    ],
    [
      'detection: logs are read, failures found',
      sums('Lines read', ['detect'], 'LinesRead'),
      sums('Findings', ['detect'], 'FindingsStored'),
      peaks('From line to finding, in seconds', ['detect'], 'FindingAge'),
      graph('Findings that came late, in seconds', own('Maximum', 'DetectionLag')),
      endings('Window', 'detect'),
      backlog('window'),
      health('detect'),
    ],
    [
      'evidence: what belongs to a failure is gathered',
      endings('Evidence', 'gather'),
      backlog('evidence'),
      health('gather'),
    ],
    [
      'evaluation: the cause is diagnosed',
      endings('Evaluation', 'evaluate'),
      graph("The day's budget, in percent", own('Maximum', 'BudgetUsed')),
      sums('Models, in USD', models, 'ModelSpend'),
      sums('Calls of models that a budget refused', models, 'BudgetRefused'),
      backlog('evaluation'),
      health('evaluate'),
    ],
    [
      'publication: issues and pull requests are written',
      endings('Publication', 'publish'),
      graph('What could not be written', own('Sum', 'PublishFailures', 'BrokerDenied', 'IncidentsEscalated')),
      backlog('publication'),
      health('publish', 'github-token', 'webhook'),
    ],
    [
      'remediation: a fix is proposed',
      endings('Remediation', 'remediate'),
      backlog('remediation'),
      health('remediate'),
    ],
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
        const type = 'query' in graph ? 'log' : 'metric';
        widgets.push({ type, x: column * width, y, width, height: HEIGHT, properties });
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
