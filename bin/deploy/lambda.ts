import { LambdaClient } from '@aws-sdk/client-lambda';

/** A version of each function, by the function's name. */
export type Versions = ReadonlyMap<string, string>;

/** Lambda's control plane takes fifteen calls a second of an account, CloudFormation's among them. */
export const AT_ONCE = 5;

export const lambda = new LambdaClient({ retryMode: 'adaptive', maxAttempts: 10 });
