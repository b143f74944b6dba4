import type { DynamoDBRecord } from 'aws-lambda';
import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { absent } from '#lib/table/expression.ts';
import { isSameImage, objectOf, plainFields, plainOf } from '#lib/table/feed/image.ts';
import { padId } from '#lib/table/keys.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { Price, PriceHistoryEntry } from './price.ts';

/*
 * The history of a product's price: an entry for each change, kept for good. A card has its latest change
 * with its number, and each version of a card comes through the table's stream: the entry is put from it if
 * its number is free. So a version may come twice, late and out of order; and one that a transaction only
 * prepared never comes.
 */

/** A change of a price, with what it is from then on. */
export const PriceEntry = PriceHistoryEntry.extend({ price: Price });

/** Entries that are written at once. */
const AT_ONCE = 20;

/** Names the partition of a product's entries. */
export function entriesOf(tenant: string, productId: number): string {
  return `product-price#${tenant}#${productId}`;
}

/** Writes the entries of the changes of prices that a batch of the stream tells of. */
export async function writePriceEntries(records: readonly DynamoDBRecord[]): Promise<void> {
  await mapConcurrent(records.flatMap(entriesIn), AT_ONCE, ({ pk, entry }) =>
    writeOne(actionOf({ pk, sk: padId(entry.id) }, { kind: 'put', item: entry }, [absent('pk')])),
  );
}

/** Reads the entry of a card's version, one at most: none if its price has not changed. */
function entriesIn({ dynamodb: { Keys, OldImage, NewImage } = {} }: DynamoDBRecord) {
  const [word, tenant = '', ...rest] = (Keys?.['pk']?.S ?? '').split('#');
  if (word !== 'product' || rest.length > 0) return [];
  const change = objectOf(NewImage, 'price_change');
  if (!change || isSameImage(objectOf(OldImage, 'price_change'), change)) return [];
  const price = ['sale_price', 'sale_currency', 'min_price'].map((name) => plainOf(NewImage?.[name]));
  // A version that says something else than a price stops nobody.
  const entry = PriceEntry.safeParse({ ...plainFields(change), price }).data;
  return entry ? [{ pk: entriesOf(tenant, Number(Keys?.['sk']?.S)), entry }] : [];
}
