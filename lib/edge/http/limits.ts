/** Limits of the session API. What is larger is refused with a sentence that names the limit. */
export const LIMITS = {
  /** Bytes of a body, after base64 is undone. */
  bodyBytes: 256 * 1024,
  /** Bytes of a declaration as it is stored, with all defaults filled in; an item of DynamoDB holds 400 KB. */
  declarationBytes: 350 * 1024,
  /** Arrays and objects inside each other. */
  depth: 20,
  agents: 500,
  tasks: 500,
  /** Tools of an agent, remote ones and those of its local servers together; local servers of an agent. */
  tools: 200,
  /** Dependencies of a task: at most every other task. */
  dependencies: 500,
  /** Bytes of any one text. */
  textBytes: 4 * 1024,
  /** Entries of a page. */
  page: 1000,
} as const;

/** `play_id` and names of agents and tool servers: they appear in URLs, log queries and issue titles. */
export const NAME_ALPHABET = 'letters, digits, ".", "_" and "-", beginning with a letter or digit';
/** An Argo workflow's name fits: 253 characters at most. */
export const PLAY_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,252}$/;
export const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** A Kubernetes namespace. */
export const NAMESPACE = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
