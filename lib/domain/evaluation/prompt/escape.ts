/**
 * What must not reach a model as it stands: characters that hide or reorder text, and signs that chat templates of open
 * models read as their own (`<|im_start|>`, `<<SYS>>`, `[INST]`). Inside JSON strings they can be written as escapes.
 */
const UNSAFE =
  /[<>]|\[(?=\/?(?:INST|SYS|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|IMG|THINK)\b)|\p{Cc}|\p{Cf}|\p{Cs}|\p{Co}|\p{Zl}|\p{Zp}|\p{Variation_Selector}|\u034F|\u115F|\u1160|\u17B4|\u17B5|\u2800|\u3164|\uFFA0|[\u{E0000}-\u{E0FFF}]/gu;

/** The value as one line of JSON that parses back to it and holds no hidden character and no sign of a chat template. */
export const toSafeJson = (value: unknown): string => JSON.stringify(value).replaceAll(UNSAFE, toEscapes);

const toEscapes = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
