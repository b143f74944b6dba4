import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { RouteFunction } from '#infra/route-functions.ts';
import type { WorkerFunction } from '#infra/worker-functions.ts';
import { isForPrograms } from '#lib/auth/keys/program.ts';
import type { Resource } from '#lib/http/definition/definition.ts';
import { OWN_QUEUE } from '#lib/queues/postpone.ts';
import { INDEX_WORKER, RECOVERY_WORKER } from '#lib/queues/queue.ts';
import {
  decryption,
  GATEWAY,
  isBySecret,
  keyUseAccess,
  permissionsFor,
  readAccess,
  writeAccess,
} from './access.ts';
import type { Resources } from './resources.ts';
import type { Permissions } from './roles.ts';

// Recovery worker's queue: writers enqueue large transactions that may need recovery.
export const RECOVERY_QUEUE = `queue:${RECOVERY_WORKER}` as const;

// Index worker's queue: writers enqueue index updates, readers enqueue the rebuild of a corrupt index.
export const INDEX_QUEUE = `queue:${INDEX_WORKER}` as const;

/**
 * Returns the permissions of a route's function. A GET only reads unless it declares otherwise; one open to
 * programs records the use of their keys.
 */
export function routePermissions(
  { method, routeKeys, operations }: RouteFunction,
  resources: Resources,
): Permissions {
  const { stage, secrets } = resources;
  const declared = new Set(operations.flatMap((operation) => operation.uses ?? []));
  const writes = method !== 'GET' || declared.has('table:write');
  const uses = new Set([...declared, INDEX_QUEUE, ...(writes ? [RECOVERY_QUEUE] : [])]);
  const shared = permissionsFor([...uses], resources);
  // Public reads need no token; public writes, such as a sign-in, may issue one. Other systems have keys
  // instead.
  const knowsTokens = operations.some(({ right }) =>
    right === 'anyone' ? method !== 'GET' : right !== 'external' && right !== GATEWAY,
  );
  const paths = routeKeys.map((key) => key.slice(key.indexOf(' ') + 1));
  const notes = !writes && operations.some(({ right }) => paths.some((path) => isForPrograms(path, right)));
  const caller = callerPermissions(resources);
  return {
    kind: kindOf(writes ? 'writes' : notes ? 'reads-for-programs' : 'reads', [...declared].sort()),
    statements: [
      readAccess(resources),
      ...(writes ? [writeAccess(resources)] : []),
      ...(notes ? [keyUseAccess(resources)] : []),
      ...caller.statements,
      ...shared.statements,
    ],
    settings: {
      ...stage.settings,
      ...shared.settings,
      TABLE_NAME: resources.table.tableName,
      ADDRESS: resources.address,
    },
    secrets: {
      ...caller.secrets,
      ...shared.secrets,
      ...(knowsTokens && {
        TOKEN_SECRET: secrets.token.used,
        TOKEN_SECRET_BELIEVED: secrets.token.believed,
      }),
    },
    storesFiles: uses.has('public:write'),
  };
}

/**
 * Returns the permissions of every function behind the edge: a secret proves that a request came through it.
 */
export function callerPermissions({ secrets, address }: Resources): Permissions {
  return {
    kind: 'answers',
    statements: [decryption(secrets)],
    settings: { ADDRESS: address },
    secrets: { ORIGIN_SECRET: secrets.origin.used, ORIGIN_SECRET_BELIEVED: secrets.origin.believed },
    storesFiles: false,
  };
}

// Returns the kind of a set of permissions. Write access is covered by the first word; uses granted by a
// secret need settings, but no permission.
function kindOf(access: string, uses: readonly Resource[]): string {
  const words = uses.filter((use) => use !== 'table:write' && !isBySecret(use));
  return [access, ...words.map((word) => word.replace(':', '-'))].join('-');
}

/**
 * Returns the permissions of a worker: its queue, its declared uses, and the table, if its code can reach it.
 */
export function workerPermissions(
  { file, name, uses, every }: WorkerFunction,
  queue: Queue,
  resources: Resources,
): Permissions {
  const { stage, table, bundles } = resources;
  const takesMessages = new PolicyStatement({
    actions: [
      'sqs:ReceiveMessage',
      'sqs:DeleteMessage',
      'sqs:GetQueueAttributes',
      // A failed message is retried sooner than the queue's visibility timeout.
      'sqs:ChangeMessageVisibility',
    ],
    resources: [queue.queueArn],
  });
  const usesTable = bundles.get(file)?.usesTable === true;
  const shared = permissionsFor(
    [...new Set(usesTable ? [...uses, RECOVERY_QUEUE, INDEX_QUEUE] : uses)],
    resources,
  );
  return {
    kind: `works-${name}`,
    statements: [
      takesMessages,
      ...(usesTable ? [readAccess(resources), writeAccess(resources)] : []),
      ...(uses.some(isBySecret) ? [decryption(resources.secrets)] : []),
      ...shared.statements,
    ],
    settings: {
      ...stage.settings,
      ...shared.settings,
      [OWN_QUEUE]: queue.queueUrl,
      ...(every === 'minute' && { ADDRESS: resources.address }),
      ...(usesTable && { TABLE_NAME: table.tableName }),
    },
    secrets: shared.secrets,
    storesFiles: uses.includes('public:write'),
  };
}
