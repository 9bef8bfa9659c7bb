import * as z from 'zod';

const Texts = z.array(z.string());

const Agent = z.object({
  githubApp: z.string().nullish(),
  cli: z.string().nullish().describe('The CLI that the agent runs, e.g. claude.'),
  model: z.string().nullish(),
  tools: z
    .object({
      remote: Texts.nullish().describe('Names of the remote tools that the agent is promised.'),
      localServers: z
        .record(z.string(), z.object({ enabled: z.boolean().nullish(), tools: Texts.nullish() }))
        .nullish(),
    })
    .nullish(),
});

const Task = z.object({
  id: z.union([z.string(), z.number()]),
  title: z.string(),
  agent_hint: z.string().nullish(),
  dependencies: z.array(z.union([z.string(), z.number()])).nullish(),
  priority: z.int().nullish(),
});

/** What `healer_start_session` takes: the body of a start. Healer itself holds it against the limits. */
export const StartInput = z.object({
  play_id: z.string().describe('The name of the workflow that runs the play: letters, digits, ".", "_" and "-".'),
  repository: z.string().describe("owner/name or a GitHub URL; it must be in the deployment's list of allowed ones."),
  service: z.string().nullish(),
  namespace: z.string().nullish().describe('Kubernetes namespace of the agents; "cto" when it is left out.'),
  cto_config: z
    .object({ agents: z.record(z.string(), Agent).nullish() })
    .nullish()
    .describe('Agents by name.'),
  tasks: z.array(Task).nullish(),
});
