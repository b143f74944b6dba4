import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, onTestFinished } from 'vitest';
import { readBooks } from '#bin/verify/family.ts';
import type { Findings, Violation } from '#bin/verify/frame/books.ts';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import type { Key } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { NO_GOODS_RECEIPT } from './shop.ts';

/**
 * Reads a family's books, without the violations of goods that `newGoods` created without a goods receipt:
 * beside such goods costs can't add up.
 */
export async function readBooksOf(familyId: number): Promise<Findings> {
  const { violations, counts } = await readBooks(familyId);
  const made = violations.filter(({ subject }) => subject.startsWith(`purchase ${NO_GOODS_RECEIPT},`));
  const isOwn = (each: Violation) => !made.includes(each) && (made.length === 0 || each.book !== 'costs');
  return { counts, violations: violations.filter(isOwn) };
}

/** Returns the violations in the books of a shop's family. */
export async function faultsOf({ companyId }: { readonly companyId: number }): Promise<string[]> {
  const { violations } = await readBooksOf(companyId);
  return violations.map(({ book, subject, what }) => `${book}: ${subject} ${what}`);
}

/** Lists the violations in a family's books, each with its history. */
export async function violationsOf(companyId: number): Promise<string[]> {
  const { violations } = await readBooksOf(companyId);
  for (const { history } of violations) expect((await history()).length).toBeGreaterThan(0);
  return violations.map(({ book, what }) => `${book}: ${what}`);
}

/** Plants a fault: overwrites fields of an item. */
export async function plant(key: Key, change: Item): Promise<void> {
  await write(key, { ...(await getItem(key)), ...change });
}

/**
 * Plants a fault for one test, in books that the tests of a file share: it is repaired when the test is over,
 * so the next is planted in sound books again.
 */
export async function plantInTest(key: Key, change: Item | ((item: Item) => Item)): Promise<void> {
  const item = await putBackAfterTest(key);
  await plant(key, typeof change === 'function' ? change(item) : change);
}

/** Removes an item for one test. */
export async function dropInTest(key: Key): Promise<void> {
  await putBackAfterTest(key);
  await drop(key);
}

async function putBackAfterTest(key: Key): Promise<Item> {
  const item = await getItem(key);
  onTestFinished(() => (item ? write(key, item) : drop(key)));
  return item ?? {};
}

async function write(key: Key, item: Item): Promise<void> {
  await dynamo.send(new PutCommand({ TableName: tableName(), Item: { ...item, ...key } }));
}

async function drop(key: Key): Promise<void> {
  await dynamo.send(new DeleteCommand({ TableName: tableName(), Key: { ...key } }));
}
