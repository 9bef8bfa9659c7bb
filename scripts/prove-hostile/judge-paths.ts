/**
 * Which paths a patch may touch, said again without a word of the policy that is judged by it.
 */
const PEOPLES_FILES =
  /^(?:codeowners|(?:agents?|claude|gemini|codex|copilot-instructions|skill)(?:\.[\w-]+)?\.md|package\.json|package-lock\.json|pnpm-lock\.yaml|go\.(?:mod|sum)|cargo\.toml|pyproject\.toml|requirements[\w.-]*\.txt|jenkinsfile|action\.ya?ml|.+\.(?:lock|lockb|pem|key))$/;

export function isOpenToPatches(path: string): boolean {
  const isPlain = /^[\x20-\x7e]+$/.test(path) && !/[\\%:~$*?"<>|]/.test(path);
  const segments = path.toLowerCase().split('/');
  return isPlain && segments.every((one) => /^[^.\s].*(?<![.\s])$|^[^.\s]$/.test(one) && !PEOPLES_FILES.test(one));
}
