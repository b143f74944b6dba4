import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { keyOfRaw, putRaw, scanRaw } from '#bin/family/raw.ts';
import { createTable } from '#bin/local/database/table.ts';
import { companies } from '#lib/people/company/record.ts';
import { roles } from '#lib/people/role/record.ts';
import { users } from '#lib/people/user/user.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { tableName } from '#lib/table/client.ts';
import { familyTenant, PLATFORM, partition, userTenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';

/** Partitions of the platform that a table needs in addition to a family's. */
const OF_PLATFORM = [
  ...[companies, users, roles].map(({ type }) => partition(type, PLATFORM)),
  'first-records',
];

/**
 * Creates a table with a family's current items, as a restore of the table creates it, and returns its name.
 */
export async function copyFamilyTable(family: number): Promise<string> {
  const table = `restored-${randomUUID()}`;
  await createTable(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', table, false);
  const people = await wholePartition(partition(users.type, familyTenant(family)));
  const tenants = new Set<string>([familyTenant(family), ...people.map(({ id }) => userTenant(Number(id)))]);
  for await (const items of scanRaw(tableName())) {
    const wanted = items.filter((item) => {
      const { pk } = keyOfRaw(item);
      return pk.split('#').some((part) => tenants.has(part)) || OF_PLATFORM.includes(pk);
    });
    await putRaw(table, wanted);
  }
  return table;
}

/** Deletes a main company as of two minutes ago, so that no calls are considered running. */
export async function closeFamily(family: number, at = Date.now() - 120_000): Promise<void> {
  await editRecord({ type: companies, tenant: PLATFORM, id: family }, at, (before) => {
    return { ...before, is_deleted: true };
  });
}
