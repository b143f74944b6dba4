import { CfnParameter, NestedStack, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { SecretNumbers, Stage } from '#infra/stage.ts';

/**
 * Two values of a secret that are valid at once. One is in use; the other is believed too, so that each
 * function knows it before any uses it, and for as long as somebody may hold what was made with it.
 */
interface SecretPair {
  readonly used: Secret;
  readonly believed: Secret;
}

/** The secrets, and the key that encrypts them. */
export interface Secrets {
  /** Encrypts the secrets, and the environments of functions that have some. */
  readonly key: Key;
  /** Sign tokens. */
  readonly token: SecretPair;
  /** Prove that a call came through the content network. */
  readonly origin: SecretPair;
  /** Sign what the payment gateway and we tell each other: the operator gives them to the gateway. */
  readonly gateway: SecretPair;
  /** Encrypt the secrets of webhooks in the table. */
  readonly sealing: SecretPair;
}

/**
 * Adds secrets, made by Secrets Manager and given to functions in their environment, which the key encrypts.
 * A function that fetched them itself would wait for one more call at each cold start, and load one more
 * client for it. Each value is a secret of its own, named by its number: another number is
 * another reference in every environment, so that CloudFormation, which doesn't look whether a value has
 * changed, brings it to every function.
 */
export function addSecrets(scope: Construct, stage: Stage): Secrets {
  const secrets = new Construct(scope, 'Secrets');
  const key = new Key(secrets, 'Key', {
    description: 'Secrets of the retail back office and the environments they are in',
    enableKeyRotation: true,
    removalPolicy: stage.removal,
  });
  // In the order of their numbers: which one is used must not move a secret.
  const addPair = (name: string, numbers: SecretNumbers, description: string): SecretPair => {
    const [used, believed] = numbers;
    const made = new Map(
      [...numbers].sort().map((number) => [
        number,
        new Secret(secrets, `${name}${number}`, {
          description,
          encryptionKey: key,
          generateSecretString: { passwordLength: 64, excludePunctuation: true },
          removalPolicy: stage.removal,
        }),
      ]),
    );
    const secretOf = (number: string) => {
      const found = made.get(number);
      if (!found) throw new Error(`There is no secret ${name}${number}`);
      return found;
    };
    return { used: secretOf(used), believed: secretOf(believed) };
  };
  const { secrets: own, gatewaySecrets, sealingSecrets } = stage;
  return {
    key,
    token: addPair('Token', own, 'Signs the tokens of the retail back office'),
    origin: addPair('Origin', own, 'Proves that a call came through the content network'),
    gateway: addPair(
      'Gateway',
      gatewaySecrets,
      'Signs what the payment gateway and the retail back office tell each other',
    ),
    sealing: addPair('Sealing', sealingSecrets, 'Encrypts the secrets of webhooks of the retail back office'),
  };
}

/** Settings of a function that are secrets, by their names. */
export type SecretSettings = Readonly<Record<string, Secret>>;

/**
 * Gives a secret's value as a reference that only CloudFormation resolves. It takes sixty of them in a
 * template, so a stack inside another gets each secret once, as a parameter that is shown nowhere. It has the
 * secret's name with its number, so that another number is another reference there too.
 */
export function secretReference(scope: Construct, secret: Secret): string {
  const stack = Stack.of(scope);
  const value = secret.secretValue.unsafeUnwrap();
  if (!(stack instanceof NestedStack)) return value;
  const name = secret.node.id;
  const found = stack.node.tryFindChild(name);
  if (found instanceof CfnParameter) return found.valueAsString;
  stack.setParameter(name, value);
  return new CfnParameter(stack, name, { type: 'String', noEcho: true }).valueAsString;
}
