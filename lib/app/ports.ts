/**
 * What use cases need of the outside, by the part of it that they ask. Adapters implement these; `wiring` joins the two.
 */

export type * from './ports/cluster.ts';
export type * from './ports/forge.ts';
export type * from './ports/github.ts';
export type * from './ports/incidents.ts';
export type * from './ports/logs.ts';
export type * from './ports/model.ts';
export type * from './ports/remediation.ts';
export type * from './ports/sessions.ts';
export type * from './ports/system.ts';
export type * from './ports/windows.ts';
