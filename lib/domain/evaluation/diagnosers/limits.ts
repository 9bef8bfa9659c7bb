import { agentOf, arg, kubectl, nextLog, podOf, runAgain } from '../commands.ts';
import { type Explanation, lineSays } from '../explanation.ts';
import { code, found, hostIn, named, type Subject, statusIn } from '../subject.ts';

/** The conversation or a request no longer fits into what the model takes. */
export function explainContext(subject: Subject): Explanation {
  const sizes = found(subject, /(\d{4,}\s*(?:tokens)?\s*(?:\+ \d+ )?>\s*\d{4,})/i);
  return {
    summary: `${subject.who} sent more than the model takes${sizes === undefined ? '' : ` (${code(sizes)})`}: the context window or the size limit of a request is used up. The same task fails again at the same point. Make the task smaller or keep large output out of the conversation.`,
    cause: [
      'The request is larger than the model or its gateway accepts.',
      lineSays(subject),
      ...(sizes === undefined ? [] : [`The sizes that the answer names are ${code(sizes)}.`]),
    ],
    remedy: [
      {
        text: 'Find what filled it: the longest lines of the run.',
        command: `${kubectl(subject, `logs ${podOf(subject)}`)} | awk '{ print length($0) ": " substr($0, 1, 160) }' | sort -rn | head -n 10`,
      },
      { text: 'Split the task, or tell the agent to read large files and outputs in parts.' },
      {
        text: 'Or give the agent a model with a larger window.',
        command: `jq '.agents.${agentOf(subject)}.model' cto-config.json`,
      },
    ],
    verify: [runAgain(subject, 'the run must pass this point and end with a result event.'), nextLog(subject)],
    confidence: 'certain',
  };
}

/** A limit of the provider: rate, quota, budget, or overload. */
export function explainQuota(subject: Subject): Explanation {
  const host = hostIn(subject);
  const status = statusIn(subject);
  const isBudget = /budget|billing|credit|usage limit|hit your|insufficient_quota/i.test(subject.text);
  const isLoad = /overload|\b529\b|high demand/i.test(subject.text);
  const what = isBudget
    ? 'its budget or usage limit is used up'
    : isLoad
      ? 'the service is overloaded'
      : 'it sends more than the rate limit allows';
  return {
    summary: `${subject.who} got no further answers${host === undefined ? '' : ` from ${code(host)}`}: ${what}, and its retries did not help. All agents that share the account are hit. ${isBudget ? 'Raise the limit or wait for its reset.' : 'Let fewer agents run at once, and start the task again later.'}`,
    cause: [
      `The service refused further requests: ${what}.`,
      lineSays(subject),
      ...(status === undefined ? [] : [`The answer was HTTP status "${status}".`]),
    ],
    remedy: [
      {
        text: isBudget
          ? "Look up usage, limit and reset time in the provider's console; raise the limit if the spending is wanted."
          : "Look up the account's limits and the provider's status page.",
      },
      { text: 'See how many agents run at this moment.', command: kubectl(subject, 'get coderuns.agents.platform') },
      {
        text: isBudget
          ? 'Until then, use another model or account for this agent.'
          : 'Lower the number of agents that run at once, or spread them over models.',
        command: `jq '.agents | map_values(.model)' cto-config.json`,
      },
    ],
    verify: [runAgain(subject, 'the calls to the model must be answered.'), nextLog(subject)],
    unseen: ["The account's usage at the provider is not read by Healer."],
    confidence: 'certain',
  };
}

/** `max retries exceeded`, iteration and turn limits: the agent used up its attempts. */
export function explainRetries(subject: Subject): Explanation {
  const limit =
    named(subject, 'limit', 'max') ??
    found(
      subject,
      /max(?:imum)?[ _](?:iterations?|turns|retries|attempts)["')]{0,2}\s?[:=(]?\s?(\d{1,4})\b/i,
      /limit \(which is (\d{1,6})\)/i,
    );
  const isTurns = /turn|iteration|step/i.test(subject.text);
  return {
    summary: `${subject.who} used up its ${isTurns ? 'turns' : 'attempts'}${limit === undefined ? '' : ` (limit ${code(limit)})`} and gave up; the task is not done. What failed each time stands in the lines before: repair that first, a higher limit alone only fails later.`,
    cause: [
      'The agent stopped because its allowed number of tries or turns was used up.',
      lineSays(subject),
      ...(limit === undefined ? [] : [`The limit it names is ${code(limit)}.`]),
    ],
    remedy: [
      {
        text: 'Find what failed each time.',
        command: `${kubectl(subject, `logs ${podOf(subject)} --timestamps`)} | grep -i -e error -e fail -e retry -e attempt | tail -n 40`,
      },
      {
        text: isTurns
          ? 'If the agent made progress until the end, split the task or raise the limit of turns.'
          : 'Repair the call that failed each time, then start the task again.',
      },
      {
        text: 'See which limit the agent has.',
        command: `jq '.agents.${agentOf(subject)} | {maxRetries, model}' cto-config.json`,
      },
    ],
    verify: [runAgain(subject, 'the task must end with a result event and no error.'), nextLog(subject)],
    unseen: ['The line that reports the limit does not say what failed each time.'],
    confidence: 'likely',
  };
}

/** The model is not known to the endpoint, or the endpoint does not answer for it. */
export function explainModel(subject: Subject): Explanation {
  const model =
    named(subject, 'model') ??
    found(subject, /model[:= ]+["'`]?([\w./:@-]{3,100}?)["'`]?(?: (?:does|is|not|was)|,|$)/im);
  return {
    summary: `${subject.who} got no answer from its model${model === undefined ? '' : ` ${code(model)}`}: the endpoint does not know it or cannot serve it. Check the name and whether the account may use it, then start the task again.`,
    cause: [
      'The endpoint of the model refused or could not serve the request for this model.',
      lineSays(subject),
      ...(model === undefined ? [] : [`The model it names is ${code(model)}.`]),
    ],
    remedy: [
      {
        text: 'Compare the declared model with the list of the provider.',
        command: `jq '.agents.${agentOf(subject)} | {cli, model}' cto-config.json`,
      },
      {
        text: 'Ask the endpoint which models this key may use (endpoint and key of your own configuration).',
        command: `curl -sS -H "Authorization: Bearer $MODEL_API_KEY" "$MODEL_BASE_URL/models" | jq -r '.data[].id' | grep -i -e '${arg(model?.split('/').at(-1), 'model')}'`,
      },
      { text: 'Correct the name in cto-config.json, or choose a model that the account has.' },
    ],
    verify: [runAgain(subject, 'the first call to the model must be answered.'), nextLog(subject)],
    unseen: ["The provider's own state is not read by Healer."],
    confidence: 'likely',
  };
}
