import type { DynamoDBRecord } from 'aws-lambda';
import type * as z from 'zod';
import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { absent } from '#lib/table/expression.ts';
import { isSameImage, objectOf, plainFields, plainOf } from '#lib/table/feed/image.ts';
import { padId } from '#lib/table/keys.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { entriesOfChange, LatestChange, Price, type PriceEntry } from './price.ts';

/*
 * History of a product's prices: a permanent entry per change. A card stores its latest changes with their
 * numbers, and each version of a card arrives through the table's stream: the consumer puts the entry if its
 * number is free. Versions may thus arrive twice, late and out of order; one only prepared by a transaction
 * never arrives.
 */

/** Entry with its partition. */
interface OwnedEntry {
  readonly pk: string;
  readonly entry: z.input<typeof PriceEntry>;
}

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

/** Extracts the entries of a card's version: none if its prices have not changed. */
function entriesIn({ dynamodb: { Keys, OldImage, NewImage } = {} }: DynamoDBRecord): OwnedEntry[] {
  const [word, tenant = '', ...rest] = (Keys?.['pk']?.S ?? '').split('#');
  if (word !== 'product' || rest.length > 0) return [];
  const change = objectOf(NewImage, 'price_change');
  if (!change || isSameImage(objectOf(OldImage, 'price_change'), change)) return [];
  // A version with an invalid price must not block the stream.
  const latest = LatestChange.safeParse({ price_change: plainFields(change) }).data;
  const price = Price.safeParse(
    ['sale_price', 'sale_currency', 'min_price'].map((name) => plainOf(NewImage?.[name])),
  ).data;
  const pk = entriesOf(tenant, Number(Keys?.['sk']?.S));
  return latest && price ? entriesOfChange(latest.price_change, price).map((entry) => ({ pk, entry })) : [];
}
