import type { Interrupt } from './aws/interruptions.ts';
import type { Overrides } from './function-home.ts';
import type { Replacement } from './functions.ts';

/** How to reach the local AWS services from the runner's own process. */
export interface ServiceAccess {
  readonly endpoint: string;
  readonly region: string;
  readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Name of a table, URL of a queue, by the logical id in the template. */
  readonly ref: (logicalId: string) => string;
}

export interface StackOptions {
  /** Folder with the compiled template and the zips, as `serverless package` leaves it. */
  readonly packageDirectory: string;
  /** Folder for unpacked functions and logs; with `keep` for tables and queues as well. */
  readonly runDirectory: string;
  /** Keeps tables and queues on disk; without it they live in memory. */
  readonly keep?: boolean;
  /** Port of the HTTP API on 127.0.0.1; 0, the default, takes a free one. */
  readonly port?: number;
  readonly region?: string;
  /** What `ssm:GetParameter` answers, by parameter name. */
  readonly secrets?: { readonly [parameter: string]: string };
  /** Other values for variables of the template's environments. */
  readonly overrides?: Overrides;
  /** Answers in the place of a function's alias: by short function name, then alias (empty for the function itself). */
  readonly replacements?: { readonly [functionName: string]: { readonly [alias: string]: Replacement } };
  /** False lets through what the stage of the template would throttle; true when absent. */
  readonly throttle?: boolean;
  /** Asked for each call of DynamoDB and SQS whether its caller dies of it; absent, none does. */
  readonly interrupt?: Interrupt;
  /** Makes the token that is added to requests without one. Called when the tables are up. */
  readonly makeToken?: (access: ServiceAccess) => Promise<string>;
}
