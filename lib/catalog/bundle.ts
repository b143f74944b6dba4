import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { Company, companyEmbed } from '#lib/people/company.ts';
import { creatorEmbed, User } from '#lib/people/user.ts';
import type { Embed } from '#lib/records/embeds.ts';
import { exact, exactOrList, period, substring } from '#lib/records/filters.ts';
import { embedQuery, type ListQuery, listQuery } from '#lib/records/list-query.ts';
import {
  editRecord,
  getRecord,
  insertRecord,
  listRecords,
  type RecordType,
  removeRecord,
  restoreRecord,
} from '#lib/records/record.ts';
import { companyRecordFields } from '#lib/records/stored.ts';
import { neighbourKey } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { distinct, Id, text } from '#lib/values/fields.ts';
import { amount, Money } from '#lib/values/money.ts';
import { Quantity, quantity } from '#lib/values/quantity.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import { fullText, ProductCard, products, requireProduct } from './product-card.ts';

const Part = z.object({ product_id: z.int(), quantity: Quantity, product: ProductCard.nullish() });

/** Goods that are sold together at a price of their own. Decisions, 7, "Bundle". */
export const Bundle = z.object({
  ...companyRecordFields,
  name: z.string(),
  price: Money,
  products: z.array(Part),
  creator: User.nullish(),
  company: Company.nullish(),
});

const Held = z.object({ products: z.array(z.looseObject({ product_id: z.int() })) });

/** What it takes to make or edit a bundle. */
export const BundleInput = z.object({
  name: text(255),
  price: amount(0.01),
  products: distinct(
    'product_id',
    z
      .array(z.object({ product_id: Id, quantity: quantity(8) }))
      .min(1)
      .max(100),
  ),
});

type BundleInput = z.output<typeof BundleInput>;

/** How bundles are kept. The products that come into one must be there. */
export const bundles: RecordType<typeof Bundle> = {
  type: 'bundle',
  schema: Bundle,
  indexes: ['creator_id', 'company_id'],
  folded: ({ name }) => ({ name: fold(name) }),
  alsoWrites: (home, before, after) => {
    const held = new Set(before?.products.map(({ product_id }) => product_id));
    return after.products.flatMap(({ product_id }, index) =>
      held.has(product_id) ? [] : [requireProduct(home, product_id, `products.${index}.product_id`)],
    );
  },
};

const partsEmbed: Embed = {
  field: 'products',
  keysOf: (row) =>
    Held.parse(row).products.flatMap(
      ({ product_id }) => neighbourKey(products.type, row['pk'], product_id) ?? [],
    ),
  shape: (found, row) =>
    Held.parse(row).products.map((part, index) => ({ ...part, product: found[index] ?? null })),
  nested: fullText,
};

const embeds = { 'products.product': partsEmbed, 'creator.profile': creatorEmbed, company: companyEmbed };

/** The list's query string. */
export const BundleList = listQuery({
  filters: {
    id: exactOrList('id', Id),
    creator_id: exact('creator_id', Id),
    company_id: exact('company_id', Id),
    name: substring('name'),
    created_at: period('created_at'),
  },
  sorts: ['id', 'name', 'price'],
  embeds,
  pageSize: 20,
});

/** The query string of a single bundle. */
export const BundleEmbeds = embedQuery({ embeds });

/** The family's bundles. */
export function list(actor: Staff, query: ListQuery) {
  return listRecords(bundles, actor.home, query);
}

/** One bundle, with what was asked for. */
export function get(actor: Staff, id: number, wanted: readonly Embed[]) {
  return getRecord({ type: bundles, home: actor.home, id }, wanted);
}

/** Makes a bundle. 422 on a product that the family hasn't. */
export async function create(actor: Staff, input: BundleInput, at: Instant) {
  return insertRecord(bundles, actor.home, {
    ...input,
    id: await nextId(bundles.type, actor.home),
    creator_id: actor.id,
    company_id: actor.companyId,
    created_at: at,
    updated_at: at,
    is_deleted: false,
  });
}

/** Changes a bundle. 422 on a product that comes in and that the family hasn't. */
export function edit(actor: Staff, id: number, input: BundleInput, at: Instant) {
  return editRecord({ type: bundles, home: actor.home, id }, at, (before) => ({ ...before, ...input }));
}

/** Deletes a bundle, softly. */
export function remove(actor: Staff, id: number, at: Instant) {
  return removeRecord({ type: bundles, home: actor.home, id }, at);
}

/** Takes a deletion back. 404 for a bundle that is not deleted. */
export function restore(actor: Staff, id: number, at: Instant) {
  return restoreRecord({ type: bundles, home: actor.home, id }, at);
}
