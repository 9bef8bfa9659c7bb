/** Why a role grants what no function calls through the SDK; `*` in `action` and `resource` stands for any characters. */
export interface Reason {
  /** Of one function alone; absent: of every function. */
  readonly function?: string;
  readonly action: string;
  readonly resource?: string;
  readonly why: string;
}

export const REASONS: readonly Reason[] = [
  { action: 'logs:*', why: 'the Lambda service writes the log of a function in the name of its role' },
  {
    action: 'dynamodb:GetItem',
    resource: '*-budgets',
    why: 'a reservation is read back when its write was refused: a budget that is used up, or a write that was sent again',
  },
];
