import { GuardError } from '../errors.ts';

/**
 * Files whose change is a person's: they decide who reviews, what agents are told, what CI runs and what gets installed.
 * Compared in lower case, in any folder. A path with a segment that begins with a dot (`.github`, `.cursor`, `.claude`,
 * `.codex`, `.git`, `.env`, `.npmrc`, `.gitlab-ci.yml`, …) is denied as a whole, so none of those is listed.
 */
const DENIED_NAMES: ReadonlySet<string> = new Set(
  [
    // Who reviews.
    'codeowners',
    // What agents are told.
    'agents.md agent.md claude.md claude.local.md gemini.md codex.md copilot-instructions.md',
    'agents.override.md skill.md opencode.json opencode.jsonc conventions.md qwen.md warp.md',
    // What CI runs.
    'jenkinsfile azure-pipelines.yml azure-pipelines.yaml bitbucket-pipelines.yml appveyor.yml',
    'cloudbuild.yaml cloudbuild.yml buildspec.yml action.yml action.yaml renovate.json',
    // What gets installed: a manifest names dependencies, whose install scripts run wherever the patch is tried.
    'package.json pnpm-workspace.yaml lerna.json deno.json deno.jsonc jsr.json bunfig.toml',
    'pyproject.toml setup.py setup.cfg pipfile environment.yml tox.ini noxfile.py conftest.py',
    'cargo.toml build.rs go.mod go.work go.sum go.work.sum gemfile composer.json',
    'pom.xml build.gradle build.gradle.kts settings.gradle settings.gradle.kts gradlew mvnw',
    'mix.exs pubspec.yaml flake.nix package.swift podfile cartfile chart.yaml',
    // What the resolver wrote.
    'package-lock.json npm-shrinkwrap.json pnpm-lock.yaml packages.lock.json package.resolved',
  ].flatMap((names) => names.split(' ')),
);

const DENIED_SHAPES: readonly RegExp[] = [
  /\.(?:lock|lockb|lockfile)$/,
  /^requirements[\w.-]*\.(?:txt|in)$/,
  /\.(?:pem|key|p12|pfx|jks|keystore|csproj|fsproj|gemspec|cabal)$/,
];

/** ASCII only, so that no letter of another script and no invisible one passes for one of these. */
const SEGMENT = /^[A-Za-z0-9_@([][A-Za-z0-9_.+@=, ()[\]-]*$/;
/** `CODEOWNERS.` and `CODEOWNERS ` are `CODEOWNERS` where Windows unpacks them. */
const TRAILING = /[. ]$/;
const MAX_PATH = 300;

const refuse = (message: string): never => {
  throw new GuardError('patch path', message);
};

/**
 * @throws GuardError for a path that is not a plain relative one (absolute, `..`, empty segments, backslashes, percent
 * signs, characters beyond ASCII, leading dots) or names a file that only people change.
 */
export function assertPath(path: string): void {
  if (path.length > MAX_PATH) return refuse('a path is too long');
  for (const segment of path.split('/')) {
    if (segment.startsWith('.')) return refuse('a part of a path begins with a dot');
    if (!SEGMENT.test(segment) || TRAILING.test(segment)) return refuse('a path holds what no plain path has');
  }
  const segments = path.toLowerCase().split('/');
  const name = segments.at(-1) ?? '';
  if (segments.some((segment) => DENIED_NAMES.has(segment)) || DENIED_SHAPES.some((shape) => shape.test(name))) {
    return refuse('a path names a file that only people change');
  }
}

/** Documents, and the configuration of plays: nothing that CI would run. Everything else is taken for executable. */
const NOT_EXECUTABLE = /\.(?:md|txt|rst|adoc)$|(?:^|\/)cto-config(?:\.schema)?\.json$/i;

/** Whether a change of the file could make CI, which has secrets, run something else. */
export const isExecutable = (path: string): boolean => !NOT_EXECUTABLE.test(path);
