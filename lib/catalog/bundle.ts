import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { checkAccuracy } from '#lib/catalog/accuracy.ts';
import { bundleUseWrite } from '#lib/catalog/bundled.ts';
import { fullText, ProductCard, products, requireProduct } from '#lib/catalog/card.ts';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { substring } from '#lib/records/query/filters.ts';
import { embedQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { parseStored } from '#lib/records/stored.ts';
import { partition, sameTenantKey, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { distinct, Id, text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import { amount, Money } from '#lib/values/money.ts';
import { Quantity, quantity } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { asCorrection, correctionInput, History, mapSpans, type Span } from '#lib/values/value-history.ts';

const Part = z.object({ product_id: z.int(), quantity: Quantity, product: ProductCard.nullish() });

/** Goods sold together at one price. Contract 7, "Bundle". */
export const Bundle = z.object({
  ...familyRecordFields,
  name: z.string(),
  price: Money,
  products: z.array(Part),
});

type Bundled = z.input<typeof Bundle>;

/**
 * Price and contents, which change together. Contents are one text: two hundred of a hundred products each
 * fit into an item.
 */
const HistoryEntry = z.tuple([z.tuple([z.int(), z.string()])]);

const history = new History(
  HistoryEntry,
  ({ price, products: parts }: Bundled): z.output<typeof HistoryEntry> => [
    [price, parts.map(({ product_id, quantity: pieces }) => `${product_id}:${pieces}`).join()],
  ],
);

const BundleParts = z.object({ products: z.array(z.looseObject({ product_id: z.int() })) });

/** Input to create a bundle. */
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

/** Input to edit a bundle. */
export const BundleEdit = BundleInput.extend(correctionInput);

/** Record type of bundles. The products added to one must exist. */
export const bundles: RecordType<typeof Bundle> = {
  type: 'bundle',
  copied: 'product.bundle',
  schema: Bundle,
  filters: { ...familyFilters, name: substring('name') },
  sorts: ['id', 'name', 'price'],
  embeds: { ...familyEmbeds, 'products.product': partsEmbed(20) },
  ...nameSearchText,
  keeps: history.keep.bind(history),
  alsoWrites: (tenant, before, after) => {
    const [productsBefore, productsAfter] = [new Set(productsIn(before)), productsIn(after)];
    const remaining = new Set(productsAfter);
    return [
      ...productsAfter.flatMap((id, index) =>
        productsBefore.has(id)
          ? []
          : [requireProduct(tenant, id, `products.${index}.product_id`), bundleUseWrite(tenant, id, 1)],
      ),
      ...[...productsBefore].flatMap((id) => (remaining.has(id) ? [] : [bundleUseWrite(tenant, id, -1)])),
    ];
  },
};

/** Returns a bundle's past prices and contents, the present ones first. */
export function bundleSpans(bundle: Bundled): Span<Bundled>[] {
  return mapSpans(history.spans(bundle, bundle.created_at), ([[price, contents]]) => {
    const parts = contents.split(',').map((part) => part.split(':').map(Number));
    const products = parts.map(([product_id = 0, quantity = 0]) => ({ product_id, quantity }));
    return { ...bundle, price, products };
  });
}

/** Returns the products of a bundle: none for a deleted one, so that restoring it requires them all. */
function productsIn(bundle: z.input<typeof Bundle> | undefined): number[] {
  return !bundle || bundle.is_deleted ? [] : bundle.products.map(({ product_id }) => product_id);
}

/** Finds the name of a bundle with a product; undefined if none has it. Reads all bundles of the family. */
export async function nameOfBundleWith(tenant: Tenant, productId: number): Promise<string | undefined> {
  const items = await wholePartition(partition(bundles.type, tenant));
  const all = items.map((item) => parseStored(Bundle, item));
  return all.find((bundle) => productsIn(bundle).includes(productId))?.name;
}

/**
 * Embeds the cards of a bundle's first `max` products, of up to twelve kilobytes each, so that no response
 * exceeds the 6 MB of a call. Further products have no card.
 */
function partsEmbed(max: number): Embed {
  return {
    field: 'products',
    keysOf: (row) =>
      BundleParts.parse(row)
        .products.slice(0, max)
        .flatMap(({ product_id }) => sameTenantKey(products.type, row['pk'], product_id) ?? []),
    shape: (found, row) =>
      BundleParts.parse(row).products.map((part, index) =>
        index < max ? { ...part, product: found[index] ?? null } : part,
      ),
    nested: fullText,
  };
}

/** Query string of a single bundle. */
export const BundleEmbeds = embedQuery({
  embeds: { ...familyEmbeds, 'products.product': partsEmbed(100) },
});

const records = recordsOf(bundles, ofFamily);

/** Operations on the family's bundles: list, get, delete, restore. */
export const { List, list, get, remove, restore } = records;

/**
 * Creates a bundle. 422 on a product that the family does not have, and on a quantity with more decimal
 * places than its unit, if the family requires it. Contract 9.112.
 */
export async function create(actor: Staff, input: z.output<typeof BundleInput>, at: Instant) {
  await requireAccuracy(actor, input);
  return records.create(actor, input, at);
}

/**
 * Edits a bundle; after a correction, the replaced values count as never valid. 422 as in `create`; products
 * already in the bundle may be deleted.
 */
export async function edit(
  actor: Staff,
  id: number,
  { is_correction, ...input }: z.output<typeof BundleEdit>,
  at: Instant,
) {
  await requireAccuracy(actor, input);
  return records.change(actor, id, at, (before) => asCorrection({ ...before, ...input }, is_correction));
}

async function requireAccuracy(actor: Staff, { products: parts }: z.output<typeof BundleInput>) {
  const issues = new ValidationIssues();
  const quantities = parts.map((part, index) => ({ ...part, path: `products.${index}.quantity` }));
  await checkAccuracy(actor, quantities, issues);
  issues.throwIfAny();
}
