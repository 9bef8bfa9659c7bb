import { type AwsActions, awsFault, ok } from './aws-peer.ts';

interface Parameter {
  readonly value: string;
  readonly type: string;
  readonly changedAt: number;
}

interface Input {
  readonly Name?: string;
  readonly Path?: string;
  readonly Value?: string;
  readonly Type?: string;
  readonly Overwrite?: boolean;
  readonly WithDecryption?: boolean;
  readonly NextToken?: string;
}

const PAGE = 2;
const CHANGED_AT = Date.parse('2026-11-30T08:15:00Z');

const toWire = (Name: string, { value, type, changedAt }: Parameter, isDecrypted: boolean | undefined) => ({
  Name,
  Type: type,
  Value: isDecrypted === true || type !== 'SecureString' ? value : 'AQICAHg=',
  LastModifiedDate: changedAt / 1000,
});

/**
 * SSM's Parameter Store for {@link startAwsPeer}. It pages, keeps what is stored from being overwritten by chance, and hands
 * values out only to who asks for them decrypted.
 */
export function aParameterStore() {
  const parameters = new Map<string, Parameter>();
  const handlers: Readonly<Record<string, (input: Input) => ReturnType<typeof ok>>> = {
    PutParameter({ Name = '', Value = '', Type = '', Overwrite }) {
      if (parameters.has(Name) && Overwrite !== true) return awsFault('ParameterAlreadyExists');
      parameters.set(Name, { value: Value, type: Type, changedAt: CHANGED_AT });
      return ok({ Version: 1, Tier: 'Standard' });
    },
    GetParameter({ Name = '', WithDecryption }) {
      const found = parameters.get(Name);
      return found === undefined
        ? awsFault('ParameterNotFound')
        : ok({ Parameter: toWire(Name, found, WithDecryption) });
    },
    GetParametersByPath({ Path = '', WithDecryption, NextToken = '0' }) {
      const below = [...parameters].filter(([name]) => name.startsWith(`${Path}/`));
      const start = Number(NextToken);
      const rows = below.slice(start, start + PAGE).map(([name, one]) => toWire(name, one, WithDecryption));
      return ok({ Parameters: rows, ...(start + PAGE < below.length ? { NextToken: String(start + PAGE) } : {}) });
    },
  };
  const actions: AwsActions = Object.fromEntries(
    Object.entries(handlers).map(([name, act]) => [`AmazonSSM.${name}`, (input) => act(input)]),
  );
  return {
    parameters,
    actions,
    valueOf: (name: string) => parameters.get(name)?.value,
    /** Stores as an operator does. */
    put(name: string, value: string, type = 'SecureString') {
      parameters.set(name, { value, type, changedAt: CHANGED_AT });
    },
  };
}

export type ParameterStore = ReturnType<typeof aParameterStore>;
