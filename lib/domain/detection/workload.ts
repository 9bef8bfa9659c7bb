/** A name of five letters or digits at the end of a pod's name is what Kubernetes puts there; so is a ReplicaSet's hash. */
const POD_HASH = /^[a-z0-9]{5}$/;
const SET_HASH = /^(?=.*\d)(?=.*[a-z])[a-z0-9]{5,10}$/;
const ORDINAL = /^\d{1,3}$/;

/**
 * Names of what a pod belongs to, the likeliest first: `tools-server-6b9f7d4c8-x2lqp` and `tools-server-0` are pods of
 * `tools-server`, `play-1-rex-x2k4q` is one of `play-1-rex`. A last part without a digit may be a word or a hash, so both
 * readings are given.
 */
export function workloadsOf(pod: string): readonly string[] {
  const parts = pod.toLowerCase().split('-');
  const last = parts.at(-1) ?? '';
  if (ORDINAL.test(last) && parts.length > 1) return [parts.slice(0, -1).join('-'), pod.toLowerCase()];
  if (!POD_HASH.test(last) || parts.length < 2) return [pod.toLowerCase()];
  const owner = parts.slice(0, SET_HASH.test(parts.at(-2) ?? '') && parts.length > 2 ? -2 : -1).join('-');
  return /\d/.test(last) ? [owner] : [owner, pod.toLowerCase()];
}

/** The agent that a pod's name tells of where no label or declaration does: `rex`, `agent-1`. */
export function agentInName(pod: string): string {
  const parts = (workloadsOf(pod)[0] ?? pod).split('-');
  return parts.slice(ORDINAL.test(parts.at(-1) ?? '') ? -2 : -1).join('-');
}
