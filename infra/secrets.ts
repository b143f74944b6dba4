import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Stage } from './stage.ts';

/** The secrets, and the key that encrypts them. */
export interface Secrets {
  /** Encrypts the secrets, and the environments of functions that have some. */
  readonly key: Key;
  /** Signs tokens. */
  readonly token: Secret;
}

/**
 * Adds secrets, made by Secrets Manager and given to functions in their environment, which the key encrypts.
 * A function that fetched them itself would wait for one more call at each cold start, and load one more
 * client for it. A new value is in force from the next deployment.
 */
export function addSecrets(scope: Construct, { removal }: Stage): Secrets {
  const secrets = new Construct(scope, 'Secrets');
  const key = new Key(secrets, 'Key', {
    description: 'Secrets of the retail back office and the environments they are in',
    enableKeyRotation: true,
    removalPolicy: removal,
  });
  const token = new Secret(secrets, 'Token', {
    description: 'Signs the tokens of the retail back office',
    encryptionKey: key,
    generateSecretString: { passwordLength: 64, excludePunctuation: true },
    removalPolicy: removal,
  });
  return { key, token };
}
