import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { programKeyUseKey } from '#lib/auth/keys/program.ts';
import type { FileUse, Resource } from '#lib/http/definition/definition.ts';
import { queueUrlVariable } from '#lib/queues/queue.ts';
import type { Resources } from './resources.ts';
import type { Permissions } from './roles.ts';

// Functions that call or serve the payment gateway get the shared signing secret.
export const GATEWAY = 'gateway' as const;

// Functions that call webhook receivers decrypt their secrets, and must not call the service itself.
const RECEIVERS = 'receivers' as const;

/** Uses granted by a secret in the environment instead of an IAM permission. */
const BY_SECRET: ReadonlySet<Resource> = new Set<Resource>([GATEWAY, RECEIVERS]);

/** S3 actions by file use. Listing is not allowed. */
const FILE_ACTIONS: Readonly<Record<string, string>> = {
  read: 's3:GetObject',
  write: 's3:PutObject',
  remove: 's3:DeleteObject',
};

/** Returns the permissions, settings and secrets of these uses. */
export function permissionsFor(
  uses: readonly Resource[],
  resources: Resources,
): Pick<Permissions, 'statements' | 'settings' | 'secrets'> {
  const { stage, secrets, address, ownNames } = resources;
  const usesGateway = uses.includes(GATEWAY);
  const usesReceivers = uses.includes(RECEIVERS);
  const each = uses.flatMap((use) => {
    if (use === 'table:write' || use === GATEWAY || use === RECEIVERS) return [];
    return isOfQueue(use) ? queueNeeds(use.slice('queue:'.length), resources) : fileNeeds(use, resources);
  });
  return {
    statements: each.map(({ statement }) => statement),
    settings: Object.fromEntries([
      ...(usesGateway ? [['GATEWAY_URL', stage.gatewayUrl] as const] : []),
      ...(usesReceivers
        ? [
            ['ADDRESS', address] as const,
            ['OWN_NAMES', ownNames.join(',')] as const,
            // Ciphertexts carry this number, so that unused keys can be identified.
            ['SEALING_KEY_NUMBER', String(stage.sealingSecrets[0])] as const,
          ]
        : []),
      ...each.flatMap(({ settings }) => Object.entries(settings)),
    ]),
    secrets: {
      ...(usesGateway && {
        GATEWAY_SECRET: secrets.gateway.used,
        GATEWAY_SECRET_BELIEVED: secrets.gateway.believed,
      }),
      ...(usesReceivers && {
        SEALING_SECRET: secrets.sealing.used,
        SEALING_SECRET_BELIEVED: secrets.sealing.believed,
      }),
    },
  };
}

/** Returns whether a use is granted by a secret only. */
export function isBySecret(use: Resource): boolean {
  return BY_SECRET.has(use);
}

function isOfQueue(use: Resource): use is `queue:${string}` {
  return use.startsWith('queue:');
}

function fileNeeds(use: FileUse, { files }: Resources) {
  const [folder, access = ''] = use.split(':');
  return {
    statement: new PolicyStatement({
      actions: [FILE_ACTIONS[access] ?? ''],
      resources: [files.bucket.arnForObjects(`${folder}/*`)],
    }),
    settings: { FILES_BUCKET: files.bucket.bucketName },
  };
}

function queueNeeds(name: string, { queues }: Resources) {
  const work = queues.get(name);
  if (!work)
    throw new Error(`"uses: queue:${name}" names no worker: there is no functions/workers/${name}.ts`);
  return {
    statement: new PolicyStatement({ actions: ['sqs:SendMessage'], resources: [work.queue.queueArn] }),
    settings: { [queueUrlVariable(name)]: work.queue.queueUrl },
  };
}

/**
 * Grants writing to the table. Most changes are transactions; ids, attempts and the headers of large
 * transactions are updated singly.
 */
export function writeAccess({ table }: Resources): PolicyStatement {
  return new PolicyStatement({
    actions: ['PutItem', 'UpdateItem', 'DeleteItem', 'ConditionCheckItem'].map(
      (action) => `dynamodb:${action}`,
    ),
    resources: [table.tableArn],
  });
}

/** Grants a reading function the update of a program's key use, and no other write. */
export function keyUseAccess({ table }: Resources): PolicyStatement {
  return new PolicyStatement({
    actions: ['dynamodb:UpdateItem'],
    resources: [table.tableArn],
    conditions: {
      'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': [programKeyUseKey(0).pk] },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    },
  });
}

/**
 * Grants reading the table. Single items are read in batches too; a transaction's reads require `GetItem`.
 */
export function readAccess({ table }: Resources): PolicyStatement {
  return new PolicyStatement({
    actions: ['BatchGetItem', 'GetItem', 'Query'].map((action) => `dynamodb:${action}`),
    resources: [table.tableArn],
  });
}

/** Grants decrypting the function's environment, which contains the secrets. */
export function decryption({ key }: Resources['secrets']): PolicyStatement {
  return new PolicyStatement({ actions: ['kms:Decrypt'], resources: [key.keyArn] });
}
