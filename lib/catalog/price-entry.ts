import type { DynamoDBRecord } from 'aws-lambda';
import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { absent } from '#lib/table/expression.ts';
import { isSameImage, objectOf, plainFields, plainOf } from '#lib/table/feed/image.ts';
import { padId } from '#lib/table/keys.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { Price, PriceHistoryEntry } from './price.ts';

/*
 * History of a product's price: a permanent entry per change. A card stores its latest change with its
 * number, and each version of a card arrives through the table's stream: the consumer puts the entry if its
 * number is free. Versions may thus arrive twice, late and out of order; one only prepared by a transaction
 * never arrives.
 */

/** Change of a price, with the new price. */
export const PriceEntry = PriceHistoryEntry.extend({ price: Price });

/** Entries written concurrently. */
const AT_ONCE = 20;

/** Returns the partition key of a product's entries. */
export function entriesOf(tenant: string, productId: number): string {
  return `product-price#${tenant}#${productId}`;
}

/** Writes the entries of the price changes in a batch of the stream. */
export async function writePriceEntries(records: readonly DynamoDBRecord[]): Promise<void> {
  await mapConcurrent(records.flatMap(entriesIn), AT_ONCE, ({ pk, entry }) =>
    writeOne(actionOf({ pk, sk: padId(entry.id) }, { kind: 'put', item: entry }, [absent('pk')])),
  );
}

/** Extracts the entry of a card's version: none if its price has not changed. */
function entriesIn({ dynamodb: { Keys, OldImage, NewImage } = {} }: DynamoDBRecord) {
  const [word, tenant = '', ...rest] = (Keys?.['pk']?.S ?? '').split('#');
  if (word !== 'product' || rest.length > 0) return [];
  const change = objectOf(NewImage, 'price_change');
  if (!change || isSameImage(objectOf(OldImage, 'price_change'), change)) return [];
  const price = ['sale_price', 'sale_currency', 'min_price'].map((name) => plainOf(NewImage?.[name]));
  // A version with an invalid price must not block the stream.
  const entry = PriceEntry.safeParse({ ...plainFields(change), price }).data;
  return entry ? [{ pk: entriesOf(tenant, Number(Keys?.['sk']?.S)), entry }] : [];
}
