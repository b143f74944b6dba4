import { BatchWriteCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import { companies } from '#lib/people/company/record.ts';
import { roles } from '#lib/people/role/record.ts';
import { users } from '#lib/people/user/user.ts';
import { emptyCompany, emptyRole, emptyUser } from '#lib/platform/empty-accounts.ts';
import { dynamo, tableName } from '#lib/table/client.ts';
import { familyTenant, type Key, keyOfItem, partition, userTenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { backOff } from '#lib/table/transient-errors.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import type { Instant } from '#lib/values/time.ts';

const BATCH = 25;

/** Charges and payments of the subscription belong to the platform's books. */
const OF_PLATFORM = ['tariff-entry', 'tariff-payment'];

const Id = z.object({ id: z.int() });

/**
 * Erases a family from the table: empties its users, roles and companies, and deletes every item of the
 * family and of its users. The list of its users is deleted last, so an interrupted run finds them again.
 * Returns the number of deleted items. A stream consumer may write about deleted items during the run; the
 * next run finds those.
 */
export async function eraseFamily(family: number, at: Instant): Promise<number> {
  const tenant = familyTenant(family);
  const people = await idsIn(partition(users.type, tenant));
  for (const id of people) await emptyUser(id, at);
  for (const id of await idsIn(partition(roles.type, tenant))) await emptyRole(id, at);
  for (const id of [...(await idsIn(partition(companies.type, tenant))), family]) await emptyCompany(id, at);
  const tenants = new Set<string>([tenant, ...people.map(userTenant)]);
  const last = partition(users.type, tenant);
  return (
    (await removeWhere((pk) => isOf(pk, tenants) && pk !== last)) + (await removeWhere((pk) => pk === last))
  );
}

function isOf(pk: string, tenants: ReadonlySet<string>): boolean {
  const [type = '', ...parts] = pk.split('#');
  return !OF_PLATFORM.includes(type) && parts.some((part) => tenants.has(part));
}

async function idsIn(pk: string): Promise<number[]> {
  return (await wholePartition(pk)).flatMap((item) => Id.safeParse(item).data?.id ?? []);
}

/** Deletes the items of matching partitions, found by a scan of the whole table. */
async function removeWhere(isWanted: (pk: string) => boolean): Promise<number> {
  let removed = 0;
  const scan = { TableName: tableName(), ProjectionExpression: 'pk, sk', ConsistentRead: true };
  for await (const { Items = [] } of paginateScan({ client: dynamo }, scan)) {
    const keys = Items.map(keyOfItem).filter(({ pk }) => isWanted(pk));
    for (const batch of splitEvery(keys, BATCH)) await removeItems(batch);
    removed += keys.length;
  }
  return removed;
}

async function removeItems(keys: readonly Key[]): Promise<void> {
  let left = keys.map((Key) => ({ DeleteRequest: { Key } }));
  for (let attempt = 1; left.length > 0; attempt++) {
    const RequestItems = { [tableName()]: left };
    const { UnprocessedItems = {} } = await dynamo.send(new BatchWriteCommand({ RequestItems }));
    const again = (UnprocessedItems[tableName()] ?? []).map(({ DeleteRequest }) => ({
      DeleteRequest: { Key: keyOfItem(DeleteRequest?.Key ?? {}) },
    }));
    if (again.length > 0) await backOff(attempt);
    left = again;
  }
}
