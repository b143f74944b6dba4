import * as z from 'zod';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import { substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { type Deletable, parseStored } from '#lib/records/stored.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { absent, any, lessThan } from '#lib/table/expression.ts';
import { type Key, partition, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { text } from '#lib/values/fields.ts';
import { uniqueName } from '#lib/values/localized.ts';
import { History, mapSpans, type Span } from '#lib/values/value-history.ts';

/** Limit of a family's price types that are not deleted. */
const MAX_PRICE_TYPES = 10;

const TYPE = 'price-type';

/** Price type: a second price list, such as wholesale. Products have a price of it, clients buy by it. */
export const PriceType = z.object({ ...familyRecordFields, name: z.string() });

export type PriceType = z.input<typeof PriceType>;

/** Input to create or edit a price type. */
export const PriceTypeInput = z.object({ name: text(255) });

/** When a price type was deleted, for offline sales. Part 5, 5.0, 5. */
const history = new History(z.tuple([z.boolean()]), ({ is_deleted }: Deletable): [boolean] => [is_deleted]);

/** Record type of price types. */
export const priceTypes: RecordType<typeof PriceType> = {
  type: TYPE,
  copied: 'product.price-type',
  schema: PriceType,
  filters: { ...familyFilters, name: substring('name') },
  sorts: ['id', 'name'],
  embeds: familyEmbeds,
  ...uniqueName,
  keeps: history.keep.bind(history),
  alsoWrites: countWrites,
};

/**
 * Operations on the family's price types: list, get, create, edit, delete, restore. 422 on a duplicate name;
 * 400 to create or restore an eleventh one. Deletion leaves prices and clients as they are: a deleted type
 * counts as none. Part 5, 5A.14, 2.
 */
export const { List, Embeds, list, get, create, edit, remove, restore } = recordsOf(priceTypes, ofFamily);

/** Counts the price types that are not deleted: two created at once do not pass the limit together. */
function countWrites(tenant: Tenant, before: Deletable | undefined, after: Deletable): Write[] {
  const change = Number(!after.is_deleted) - Number(before !== undefined && !before.is_deleted);
  if (change === 0) return [];
  const room = {
    if: any([absent('count'), lessThan('count', MAX_PRICE_TYPES)]),
    otherwise: badRequest('price_type.too_many', { max: MAX_PRICE_TYPES }),
  };
  return [update(countKey(tenant), { add: { count: change } }, change > 0 ? room : undefined)];
}

function countKey(tenant: Tenant): Key {
  return { pk: `price-type-count#${tenant}`, sk: 'count' };
}

/** Price types of a family by id, with the deleted ones. */
export type PriceTypes = ReadonlyMap<number, PriceType>;

/** Reads all price types of a family, also deleted ones. One round trip. */
export async function readPriceTypes(tenant: Tenant): Promise<PriceTypes> {
  const items = await wholePartition(partition(TYPE, tenant));
  return new Map(items.map((item) => parseStored(PriceType, item)).map((each) => [each.id, each]));
}

/** Returns whether a price type exists and is not deleted. */
export function isPriceTypeLive(types: PriceTypes, id: number): boolean {
  return types.get(id)?.is_deleted === false;
}

/** Returns the times in which a price type was deleted, or not, the present first. */
export function deletionSpans(type: PriceType): Span<boolean>[] {
  return mapSpans(history.spans(type), ([isDeleted]) => isDeleted);
}
