import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { ScanReportJson } from '#lib/cli/scan/report-json.ts';
import { CLI_PROFILES, FACTS, VISIBILITY, VISIBLE_CLIS, type VisibleCli } from '#lib/domain/detection/visibility.ts';

const CITE =
  'Written by `node scripts/build-docs.ts` from `lib/domain/detection/visibility.ts`; a test keeps the two in step.';

const INTRO = `# Run your agents so that their failures show

Healer tells what a log tells. Agent CLIs keep some failures to themselves: a refused push, a dead MCP server or an empty
prompt often ends with exit code 0 and no line at all. With the flags below they speak. What stays unseen is said by
\`healer scan\` and under \`healer\` in \`GET /api/v1/session/{play_id}\`: never a silent "fine".

${CITE}
`;

const RULES = `## For every CLI

- Send stdout **and** stderr of the agent's container to Loki: MCP failures often stand on stderr alone.
- Use the machine-readable mode: only its events are facts; in text output, words of the model and words of the CLI look alike.
- Declare tools and servers in \`POST /api/v1/session/start\`: what is not declared cannot be missed.
- Give each agent a pod of its own and its name in the pod's name or in the label \`agent\`.
- Exit code 0 does not mean delivered. Keep pods (\`ttlSecondsAfterFinished\`) for an hour, so that Kubernetes can say why one ended.
`;

function profile(cli: VisibleCli): string {
  const { name, version, run, why, settings } = CLI_PROFILES[cli];
  const rows = VISIBILITY.filter((row) => row.cli === cli).map(
    (row) => `| ${FACTS[row.fact]} | ${row.seen} | ${row.setting === null ? '' : `\`${row.setting}\``} | ${row.note} |`,
  );
  return [
    `## ${name}`,
    version === null ? 'As public reports show it; no run was recorded.' : `As version ${version} was recorded.`,
    ['```sh', run, '```'].join('\n'),
    ...(settings === null
      ? []
      : [`In \`${settings.file}\`:`, [`\`\`\`${settings.language}`, settings.text, '```'].join('\n')]),
    why.map((sentence) => `- ${sentence}`).join('\n'),
    ['| fact | seen | setting | |', '| --- | --- | --- | --- |', ...rows].join('\n'),
  ].join('\n\n');
}

const everyCli = (): string =>
  VISIBILITY.filter((row) => row.cli === 'any')
    .map((row) => `- ${FACTS[row.fact]}: ${row.seen} seen in a log. ${row.note}`)
    .join('\n');

/** docs/agents.md */
export const toAgentsPage = (): string =>
  `${[INTRO, ...VISIBLE_CLIS.map(profile), RULES.trimEnd(), everyCli()]
    .join('\n')
    .replaceAll(/\n(## )/g, '\n\n$1')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trimEnd()}\n`;

/** docs/scan.schema.generated.json */
export const toScanSchema = (): string => `${JSON.stringify(z.toJSONSchema(ScanReportJson), null, 2)}\n`;

if (import.meta.main) {
  const docs = join(import.meta.dirname, '../docs');
  writeFileSync(join(docs, 'agents.md'), toAgentsPage());
  writeFileSync(join(docs, 'scan.schema.generated.json'), toScanSchema());
}
