import type { EvidencePiece } from '../../evidence/evidence-pack.ts';
import { agentOf, arg, kubectl, namespaceOf, runAgain } from '../commands.ts';
import type { Step } from '../diagnosis.ts';
import type { Explanation, Statement } from '../explanation.ts';
import { nearest } from '../nearest.ts';
import { says } from '../quotes.ts';
import { code, found, named, type Subject } from '../subject.ts';
import { declaredNames, offeredNames } from '../tool-names.ts';

/** A declared tool and where the right spelling, if any, comes from. */
interface Missing {
  readonly tool: string | undefined;
  readonly others: readonly string[];
  /** Where `cto-config.json` declares it. */
  readonly path: string;
  readonly declaration: EvidencePiece | undefined;
  /** A near name that the configuration itself declares elsewhere: an authority. */
  readonly declaredTwin: string | undefined;
  /** A near name that only the log shows: a hint to check, never the correction. */
  readonly offeredTwin: string | undefined;
}

/** A10: declared tools that the agent's CLI does not offer or cannot call. */
export function explainTools(subject: Subject): Explanation {
  const missing = toMissing(subject);
  return {
    summary: summarize(subject, missing),
    cause: causes(subject, missing),
    remedy: remedy(subject, missing),
    verify: verify(subject, missing),
    unseen: [
      'The catalogue of the tools server is not read by Healer: whether the tool was renamed or removed there is not known.',
    ],
    confidence: missing.declaration !== undefined ? 'certain' : 'likely',
  };
}

function toMissing(subject: Subject): Missing {
  const [tool, ...others] = missingTools(subject);
  const declaration = tool === undefined ? undefined : subject.declared.find((piece) => says(piece, tool));
  const declared = declaredNames(subject).filter((name) => name !== tool && !others.includes(name));
  const offered = offeredNames(subject);
  return {
    tool,
    others,
    path: keyPath(subject, tool, declaration),
    declaration,
    declaredTwin: tool === undefined ? undefined : nearest(tool, declared),
    offeredTwin: tool === undefined ? undefined : nearest(tool, offered),
  };
}

function missingTools(subject: Subject): readonly string[] {
  const list =
    named(subject, 'tools', 'tool', 'missing', 'absent', 'name', 'what') ??
    found(
      subject,
      /missing(?: from CLI)?:?\s*\[([^\]]{1,500})\]/i,
      /(?:unresolved|absent|unresolved_tools)\s*(?:tools)?\s*[:=]\s*\[([^\]]{1,500})\]/i,
      /unavailable tool ['"`]([^'"`]{1,120})['"`]/i,
      /tool ["'`]([^"'`]{1,120})["'`] (?:is )?not (?:found|available)/i,
      /tool not (?:found|available):?\s+([\w.-]+)/i,
      /not listed by the endpoint:\s*([\w.-]+)/i,
    );
  return (list ?? '')
    .split(/[,\s]+/)
    .map((name) => name.replaceAll(/^["'`]+|["'`]+$/g, ''))
    .filter((name) => name !== '')
    .slice(0, 30);
}

/** Key in `cto-config.json`: of remote tools, or of the local server that is named before the tool in its declaration. */
function keyPath(subject: Subject, tool: string | undefined, declaration: EvidencePiece | undefined): string {
  const agent = agentOf(subject);
  const server = named(subject, 'server', 'localServer');
  const before = tool === undefined ? '' : (declaration?.text.split(tool)[0] ?? '');
  const isLocal = before.lastIndexOf('ocalServers') > before.lastIndexOf('remote');
  const local = /localServers["']?[.:{\s"']{1,6}([\w-]+)/.exec(before)?.[1] ?? server;
  return isLocal ? `agents.${agent}.tools.localServers.${arg(local, 'server')}.tools` : `agents.${agent}.tools.remote`;
}

const toolsOf = ({ tool, others }: Missing): string =>
  tool === undefined ? 'a declared tool' : [tool, ...others].slice(0, 5).map(code).join(', ') + more(others.length - 4);

const more = (rest: number): string => (rest > 0 ? ` and ${rest} more` : '');

function summarize(subject: Subject, missing: Missing): string {
  const many = missing.others.length > 0;
  const it = many ? 'them' : 'it';
  const isDeclared = missing.declaration !== undefined || /declared|inventory|missing from CLI/i.test(subject.text);
  const why = isDeclared
    ? `cto-config.json declares ${it}, the agent's CLI does not offer ${it}`
    : `its CLI does not offer ${it}`;
  const lacks = `${subject.who} runs without ${toolsOf(missing)}: ${why}.`;
  if (missing.declaredTwin !== undefined) {
    return `${lacks} It is probably a misspelling of ${code(missing.declaredTwin)}, which the configuration declares elsewhere. Correct ${missing.path} and start the play again.`;
  }
  if (missing.offeredTwin !== undefined) {
    return `${lacks} The CLI does offer ${code(missing.offeredTwin)}, so the declared name may be misspelt. Check the name against the tools server's catalogue, then correct ${missing.path}.`;
  }
  return `${lacks} Check whether ${many ? 'those names exist' : 'that name exists'} in the tools server's catalogue, then correct ${missing.path} or bring the tool back.`;
}

function causes(subject: Subject, missing: Missing): readonly Statement[] {
  const { tool, declaration, declaredTwin, offeredTwin } = missing;
  const listed = subject.anchor !== undefined && tool !== undefined && !says(subject.anchor, tool);
  const own: readonly Statement[] = [
    { text: `The configuration declares ${toolsOf(missing)}.`, of: declaration },
    listed
      ? `The start event of the agent lists the tools it can call; ${toolsOf(missing)} ${missing.others.length > 0 ? 'are' : 'is'} not among them.`
      : `The agent's own log names ${toolsOf(missing)} as not available.`,
  ];
  if (declaredTwin !== undefined) {
    const of = subject.declared.find((piece) => says(piece, declaredTwin));
    return [
      ...own,
      { text: `The configuration also declares ${code(declaredTwin)}, which differs in few letters.`, of },
    ];
  }
  if (offeredTwin === undefined) return own;
  return [...own, `The agent's CLI offers ${code(offeredTwin)}, which differs in few letters; only the log says so.`];
}

function remedy(subject: Subject, missing: Missing): readonly Step[] {
  const correct = correction(missing);
  const check = catalogue(missing);
  const drop: Step = {
    text: 'If the tool no longer exists, take it out of the declaration instead.',
    command: rewrite(`del(.${missing.path}[] | select(. == "${arg(missing.tool, 'declared-name')}"))`),
  };
  const look: Step = {
    text: `See what cto-config.json declares at ${code(missing.path)}.`,
    command: `jq '.${missing.path}' cto-config.json`,
  };
  const find: Step = {
    text: 'If the tools server does not list a tool that it should have, see whether it runs.',
    command: `${kubectl(subject, 'get pods,svc -o wide')} | grep -i tools`,
  };
  return missing.declaredTwin === undefined ? [look, check, correct, drop, find] : [correct, check, drop, find];
}

/** Writes the changed configuration beside the old one and shows what changes. */
const rewrite = (filter: string): string =>
  `jq '${filter}' cto-config.json > cto-config.fixed.json; diff cto-config.json cto-config.fixed.json`;

function correction(missing: Missing): Step {
  const wanted = missing.declaredTwin === undefined ? 'CORRECT_NAME' : arg(missing.declaredTwin, 'correct-name');
  const why = missing.declaredTwin === undefined ? 'If the name is misspelt, correct it' : 'Correct the name';
  return {
    text: `${why} at ${code(missing.path)}, look at the difference, then move the file over the old one and commit it.`,
    command: rewrite(`(.${missing.path}[] | select(. == "${arg(missing.tool, 'declared-name')}")) = "${wanted}"`),
  };
}

/** The tools server speaks MCP: its own list is the authority on names. */
function catalogue(missing: Missing): Step {
  const isOnlyLogged = missing.declaredTwin === undefined && missing.offeredTwin !== undefined;
  const hint = isOnlyLogged
    ? ` The log shows ${code(missing.offeredTwin ?? '')}; a log is no authority, so use that name only if the list has it.`
    : '';
  return {
    text: `Ask the tools server which tools it has, and look for ${toolsOf(missing)}.${hint}`,
    command: `curl -sS "$TOOLS_SERVER_URL" -H 'Content-Type: application/json' -H 'Accept: application/json, text/event-stream' -d '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | grep -o '"name":"[^"]*"' | sort`,
  };
}

function verify(subject: Subject, missing: Missing): readonly Step[] {
  const wanted = arg(missing.declaredTwin, 'correct-name');
  return [
    runAgain(subject, `the start event of ${agentOf(subject)} must list every declared tool.`),
    {
      text: "Count the start events of the agent's next pod that list the tool; 1 or more is right.",
      command: `kubectl -n ${namespaceOf(subject)} logs NEXT_POD | grep '"subtype":"init"' | grep -c '${wanted}'`,
    },
  ];
}
