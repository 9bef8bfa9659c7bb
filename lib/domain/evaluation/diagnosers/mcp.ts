import { agentOf, arg, describePod, kubectl, nextLog, podOf, runAgain, splitHost } from '../commands.ts';
import type { Step } from '../diagnosis.ts';
import { type Explanation, lineSays } from '../explanation.ts';
import { says } from '../quotes.ts';
import { code, found, hostIn, named, type Subject, whom } from '../subject.ts';

const serverIn = (subject: Subject): string | undefined =>
  named(subject, 'server', 'key', 'mcp', 'extension', 'name') ??
  found(
    subject,
    /MCP (?:server|client)(?: for)? ["'`]([\w.@/-]{1,80})["'`]/i,
    /failed to initialize \(([\w.@/-]{1,80})\)/i,
    /failed to initialize:\s*([\w.@-]{1,80}):/i,
    /start extension:\s*([\w.@-]{1,80})/i,
    /\bserver[= ]([\w.@-]{1,80}) /i,
    /\bservice=mcp key=([\w.@-]{1,80})/,
  );

/** Reasons that the words of a failed start tell, with what to do first about each. */
const REASONS: readonly { readonly sign: RegExp; readonly reason: string; readonly first: string }[] = [
  {
    sign: /ENOENT|No such file or directory|command not found|executable file not found/i,
    reason: 'its program is not in the image',
    first: 'Install the program in the agent image, or correct the command of the server.',
  },
  {
    sign: /ModuleNotFoundError|Cannot find module|ImportError/i,
    reason: 'a module that it needs is not installed',
    first: 'Install the missing module in the agent image.',
  },
  {
    sign: /permission denied|EACCES|os error 13/i,
    reason: 'its program may not be executed or its files may not be read',
    first: 'Make the program executable for the user that the container runs as.',
  },
  {
    sign: /\b401\b|\b403\b|unauthori[sz]ed|needs.?auth|authentication/i,
    reason: 'it refuses the credentials',
    first: 'Renew the credentials of the server in the secret that the agent mounts.',
  },
  {
    sign: /tim(?:ed? ?)out|deadline exceeded|no answer|not responding/i,
    reason: 'it did not answer in time',
    first: 'See whether the server runs and is ready; a cold start may need a longer start-up timeout.',
  },
  {
    sign: /refused|unreachable|no route|ECONN|error sending request/i,
    reason: 'nothing answers at its address',
    first: 'See whether the server runs and whether a network policy stands between it and the agent.',
  },
  {
    sign: /connection closed|Stdio process error|exited/i,
    reason: 'its process ended during the handshake',
    first: 'Start the server by hand in the agent image and read its own error output.',
  },
];

/** A12: an MCP server that the agent needs did not start or does not answer. */
export function explainMcp(subject: Subject): Explanation {
  const server = serverIn(subject);
  const reason = REASONS.find(({ sign }) => sign.test(subject.text));
  const name = server === undefined ? 'An MCP server' : `MCP server ${code(server)}`;
  return {
    summary: `${name} is not connected to ${whom(subject)}${reason === undefined ? '' : `: ${reason.reason}`}. The agent goes on without the tools of that server. ${reason?.first ?? 'See whether the server runs and what it says.'}`,
    cause: [
      isListed(subject)
        ? `The start event of the agent shows ${server === undefined ? 'an MCP server' : code(server)} as not connected.`
        : lineSays(subject),
      ...(server === undefined ? [] : declaredAs(subject, server)),
    ],
    remedy: mcpRemedy(subject, server, reason?.first),
    verify: [
      runAgain(subject, `the start event of ${agentOf(subject)} must show the server as connected.`),
      {
        text: "Read the state of the servers in the start event of the agent's next pod.",
        command: `${kubectl(subject, 'logs NEXT_POD')} | grep -m1 '"subtype":"init"' | grep -o '"mcp_servers":[^]]*]'`,
      },
    ],
    unseen: [
      ...(reason === undefined ? ['The log does not say why the server did not start.'] : []),
      "Logs of the server itself are not part of the play's logs.",
    ],
    confidence: reason === undefined && !isListed(subject) ? 'likely' : 'certain',
  };
}

const isListed = (subject: Subject): boolean => subject.anchor?.text.includes('mcp_servers') ?? false;

const declaredAs = (subject: Subject, server: string) => [
  {
    text: `The configuration declares the server ${code(server)}.`,
    of: subject.declared.find((piece) => says(piece, server)),
  },
];

function mcpRemedy(subject: Subject, server: string | undefined, first: string | undefined): readonly Step[] {
  const agent = agentOf(subject);
  return [
    ...(first === undefined ? [] : [{ text: first }]),
    {
      text: 'Compare how the server is declared.',
      command: `jq '.agents.${agent}.tools.localServers' cto-config.json`,
    },
    {
      text: 'Read what the agent told about its servers.',
      command: `${kubectl(subject, `logs ${podOf(subject)} --timestamps`)} | grep -i -e mcp -e '${arg(server, 'server')}' | head -n 40`,
    },
    describePod(subject),
  ];
}

/** A12: the tools server as a whole does not answer, so every agent that uses remote tools is hit. */
export function explainToolsServer(subject: Subject): Explanation {
  const host = hostIn(subject);
  const { name, port } = splitHost(host);
  return {
    summary: `The tools server does not answer${host === undefined ? '' : ` at ${code(host)}`}: ${whom(subject)} has no remote tools, and every other agent that uses this server is hit too. See whether the server runs, and bring it back before any play is started again.`,
    cause: [
      'The agent could not reach the tools server when it started.',
      lineSays(subject),
      ...(host === undefined ? [] : [`The address that did not answer is ${code(host)}.`]),
    ],
    remedy: [
      {
        text: 'See whether the tools server runs and is ready. It may live in another namespace, so all are asked.',
        command: 'kubectl get pods,deploy,svc,endpoints -A | grep -i tools',
      },
      {
        text: 'Read why it stopped, with the namespace and pod of the list before.',
        command:
          'kubectl -n TOOLS_NAMESPACE logs TOOLS_POD --previous --tail=100; kubectl -n TOOLS_NAMESPACE describe pod TOOLS_POD',
      },
      {
        text: 'If it runs, try the way from a pod of the agents. The address comes from the log line: compare it with your configuration first.',
        command: kubectl(
          subject,
          `run healer-check --rm -i --restart=Never --image=busybox -- nc -zv -w 5 ${name} ${port}`,
        ),
      },
      {
        text: 'If it hangs, restart it.',
        command: 'kubectl -n TOOLS_NAMESPACE rollout restart deployment TOOLS_DEPLOYMENT',
      },
    ],
    verify: [
      runAgain(subject, `the start event of ${agentOf(subject)} must list the declared remote tools.`),
      nextLog(subject),
    ],
    unseen: [
      "Logs and state of the tools server are not part of the play's logs: why it does not answer is not known.",
    ],
    confidence: 'certain',
  };
}
