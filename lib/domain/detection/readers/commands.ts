/** Commands that print what is written elsewhere: files, history, search results. Their output is content. */
const LISTING =
  /^(?:cat|bat|head|tail|less|more|sed -n|grep|egrep|rg|ag|jq|yq|ls|find|fd|nl|wc|diff|awk|strings|xxd|hexdump|echo|printf|tree|env|printenv|history|man|git (?:diff|log|show|blame|grep|stash show)|gh (?:pr|issue|run) (?:view|diff|list)|kubectl (?:logs|describe|get|explain)|docker logs|journalctl)\b/;

/** Output that goes into a file is work. */
const WRITES = /[^2&>=-]>{1,2}\s*(?!\/dev\/null|&)[\w./~"'$]|\btee\b/;

/** Commands of the working loop: a failure of theirs is the agent's work, not the run's trouble. */
const WORK =
  /^(?:(?:npm|pnpm|yarn|bun) (?:run |-w |exec )?(?:test|t|build|lint|check|typecheck|format)|npx (?:jest|vitest|tsc|eslint|playwright|mocha)|jest|vitest|mocha|pytest|python3? -m (?:pytest|unittest)|tox|cargo (?:test|build|check|clippy|run|fmt)|go (?:test|build|vet|run)|make|cmake|ninja|gradle|\.\/gradlew|mvn|dotnet (?:test|build)|node (?:--test|test\/)|deno test|tsc|eslint|ruff|mypy|black|rspec|bundle exec|phpunit|swift (?:test|build)|mix test|ctest|bats|curl|wget|nc|ping)\b/;

/** The command itself: without the shell that runs it, changes of folder and variables before it. */
export function toCommand(raw: string): string {
  let command = raw.trim();
  const shell = /^(?:\/(?:usr\/)?bin\/)?(?:ba|z|da)?sh -l?c\s+(['"]?)(.*)$/s.exec(command);
  if (shell !== null) {
    const quote = shell[1] ?? '';
    const rest = shell[2] ?? '';
    const end = quote === '' ? -1 : rest.lastIndexOf(quote);
    command = end > 0 ? rest.slice(0, end) : rest;
  }
  for (let step = 0; step < 4; step += 1) {
    const lead =
      /^(?:cd [^&;|]+(?:&&|;)\s*|sleep \S+\s*(?:&&|;)\s*|[A-Z_][A-Z0-9_]*=\S*\s+|sudo |timeout \S+ |set -\S+(?: pipefail)?;?\s*)/.exec(
        command,
      );
    if (lead === null) break;
    command = command.slice(lead[0].length);
  }
  return command;
}

export const isListing = (command: string): boolean => LISTING.test(toCommand(command)) && !WRITES.test(command);

/** True for tests, builds, linters and probes. */
export const isWork = (command: string): boolean => WORK.test(toCommand(command));

/** Tools of agent CLIs that show or change files; what they return is content. */
const FILE_TOOLS =
  /^(?:read|readtoolcall|read_files?|read_many_files|view|cat|grep|greptoolcall|glob|globtoolcall|search|search_files|search_file_content|codebase|list|ls|lstoolcall|list_files|list_directory|update|websearch|webfetch|web_fetch|google_web_search|notebookread|todoread|todowrite|todo|fetch)$/i;

export const isFileTool = (tool: string): boolean => FILE_TOOLS.test(tool);

/** A word that names what a program does; a path, an address or a value names what it does it to. */
const VERB = /^[a-z][a-z-]*$/;

/** Program and verb of one command: `git push`, `npm ci`, `mkdir`. */
function toHead(command: string): string {
  const [program = '', verb = ''] = toCommand(command)
    .split(/\s+/)
    .filter((word) => !word.startsWith('-'));
  return VERB.test(verb) ? `${program} ${verb}` : program;
}

/**
 * The head by which two runs of a command are told to be the same. Of a chain it is the part whose verb the output
 * names, else the first one.
 */
export const toCommandHead = (command: string, output = ''): string => {
  const heads = command.split(/&&|\|\||;/).map(toHead);
  const named = heads.find((head) => output !== '' && output.includes(head.split(' ')[1] ?? '\0'));
  return (heads.length > 1 ? named : undefined) ?? toHead(command);
};
