import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { NO_RECEIPT } from './shop.ts';

/**
 * Tells what does not add up in the books of a shop's family, beside what `newGoods` has put on shelves
 * without the receipt that it names.
 */
export async function faultsOf({ companyId }: { readonly companyId: number }): Promise<string[]> {
  const { violations } = await readBooks(companyId);
  const own = violations.filter(({ subject }) => !subject.startsWith(`purchase ${NO_RECEIPT},`));
  return own.map(({ book, subject, what }) => `${book}: ${subject} ${what}`);
}

/** Lists what does not add up in a family's books, each with a history to look at. */
export async function violationsOf(companyId: number): Promise<string[]> {
  const { violations } = await readBooks(companyId);
  for (const { history } of violations) expect((await history()).length).toBeGreaterThan(0);
  return violations.map(({ book, what }) => `${book}: ${what}`);
}

/** Plants a fault: overwrites fields of an item. */
export async function plant(key: Key, change: Item): Promise<void> {
  const Item = { ...(await getItem(key)), ...change, ...key };
  await dynamo.send(new PutCommand({ TableName: tableName(), Item }));
}
