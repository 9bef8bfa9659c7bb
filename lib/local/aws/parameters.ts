import { jsonAnswer, type ServiceAnswer } from './protocol.ts';

/** SSM's `GetParameter` over a map of secrets. */
export interface ParameterService {
  handle(action: string, input: { Name?: string; WithDecryption?: boolean }, arn: string): ServiceAnswer;
}

/** @param secrets by parameter name, e.g. `/healer/dev/github-app-key` */
export function createParameterService(secrets: { readonly [name: string]: string }): ParameterService {
  return {
    handle(action, { Name = '', WithDecryption }, ARN) {
      if (action !== 'GetParameter') {
        return jsonAnswer(400, { __type: 'UnknownOperationException', message: `${action} is not served locally` });
      }
      const secret = Object.hasOwn(secrets, Name) ? secrets[Name] : undefined;
      if (secret === undefined) return jsonAnswer(400, { __type: 'ParameterNotFound', message: '' });
      const Value = WithDecryption === true ? secret : 'encrypted: ask WithDecryption';
      const stamps = { Version: 1, LastModifiedDate: Date.now() / 1000, DataType: 'text' };
      return jsonAnswer(200, { Parameter: { Name, Type: 'SecureString', Value, ARN, ...stamps } });
    },
  };
}
