import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { RouteFunction } from '#infra/route-functions.ts';
import type { WorkerFunction } from '#infra/worker-functions.ts';
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

// A function that writes may have to have a large transaction looked after.
export const RECOVERY_QUEUE = `queue:${RECOVERY_WORKER}` as const;

// A function that writes tells the indexes of lists; a reader who finds one wrong has it built anew.
export const INDEX_QUEUE = `queue:${INDEX_WORKER}` as const;

/**
 * Computes the needs of a route's function. A GET only reads, unless it says otherwise; one that programs may
 * call notes when their key was used.
 */
export function routePermissions({ method, operations }: RouteFunction, resources: Resources): Permissions {
  const { stage, secrets } = resources;
  const declared = new Set(operations.flatMap((operation) => operation.uses ?? []));
  const writes = method !== 'GET' || declared.has('table:write');
  const uses = new Set([...declared, INDEX_QUEUE, ...(writes ? [RECOVERY_QUEUE] : [])]);
  const shared = permissionsFor([...uses], resources);
  // What anyone may read asks for no token; what anyone may post, as a sign-in, may give one. Systems have
  // keys instead.
  const knowsTokens = operations.some(({ right }) =>
    right === 'anyone' ? method !== 'GET' : right !== 'external' && right !== GATEWAY,
  );
  const notes = !writes && operations.some(({ right }) => right === 'staff' || right.startsWith('company.'));
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

/** Computes the needs of whatever answers callers: it knows by a secret that they came by the network. */
export function callerPermissions({ secrets, address }: Resources): Permissions {
  return {
    kind: 'answers',
    statements: [decryption(secrets)],
    settings: { ADDRESS: address },
    secrets: { ORIGIN_SECRET: secrets.origin.used, ORIGIN_SECRET_BELIEVED: secrets.origin.believed },
    storesFiles: false,
  };
}

// Names a kind of need by its words. Writing to the table is said by the first of them; what is used by a
// secret needs settings, and no right.
function kindOf(access: string, uses: readonly Resource[]): string {
  const words = uses.filter((use) => use !== 'table:write' && !isBySecret(use));
  return [access, ...words.map((word) => word.replace(':', '-'))].join('-');
}

/**
 * Computes the needs of a worker: its messages, what it says it uses, and the table, if its code can reach
 * it.
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
      // What has failed is postponed for less than the queue would by itself.
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
