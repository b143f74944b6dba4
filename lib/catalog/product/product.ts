import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { barcodeInput, barcodesOf, checkOwnBarcodes } from '#lib/catalog/barcodes.ts';
import { byAnyBarcode, fullText, Product, products } from '#lib/catalog/card.ts';
import { fiscalInput, fiscalOf } from '#lib/catalog/fiscal-fields.ts';
import { type PriceChangeContext, recordPriceCause } from '#lib/catalog/price.ts';
import { singleRepricing } from '#lib/catalog/repricing/write.ts';
import { typePriceInput } from '#lib/catalog/type-prices.ts';
import {
  discardFiles,
  discardFilesOnFailure,
  isImageReferenced,
  storeImage,
} from '#lib/files/image-store.ts';
import { imageFile, keysOf, type StoredImage } from '#lib/files/images.ts';
import { externalIdInput } from '#lib/records/external-id.ts';
import { type PatchFields, patchOf } from '#lib/records/patch.ts';
import { requireVersion } from '#lib/records/precondition.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import { getRecord } from '#lib/records/record.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { newRecord, ofFamily, recordsOf } from '#lib/records/records-of.ts';
import type { Stored } from '#lib/records/stored.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { invalid } from '#lib/values/api-error.ts';
import { code, optionalCode } from '#lib/values/code.ts';
import { Id, JsonStrings, optionalText, orNull, text } from '#lib/values/fields.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { quantity } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { asCorrection, correctionInput } from '#lib/values/value-history.ts';
import type { FloorCheck } from './floors.ts';

/** Limit of a card's images. */
const MAX_IMAGES = 10;

/** Fields of a card common to forms and workbooks. */
export const cardFields = {
  name: text(255),
  barcode: code(64),
  plu: optionalCode(64),
  description: optionalText(2000),
};

const Flag = z.boolean().default(false);

/** Input to create a product. Contract 7, "Product". */
export const ProductInput = z
  .object({
    ...cardFields,
    ...barcodeInput,
    ...externalIdInput,
    category_id: Id,
    brand_id: orNull(Id),
    unit_id: Id,
    parent_id: orNull(Id),
    sale_price: amount(0.01),
    sale_currency: Currency,
    is_free_price: Flag,
    is_favorite: Flag,
    is_bundle_only: Flag,
    min_price: orNull(amount(0)),
    min_price_percent: orNull(amount(0, 10_000)),
    ...typePriceInput,
    min_quantity: orNull(quantity(8, 0)),
    ...fiscalInput,
    images: z.array(imageFile()).max(MAX_IMAGES).default([]),
    /** Keys or addresses of images to remove. */
    images_old_keys: JsonStrings.default([]),
  })
  .refine(({ parent_id, brand_id }) => parent_id !== null || brand_id !== null, {
    path: ['brand_id'],
    error: 'validation.required',
  });

export type ProductInput = z.output<typeof ProductInput>;

/** Input to edit a product. */
export const ProductEdit = ProductInput.safeExtend(correctionInput);

const FOLDER = 'products';
const WIDTHS = [100, 500];

type NewCard = Omit<ProductInput, 'images' | 'images_old_keys' | OptionalField> &
  Partial<Pick<ProductInput, OptionalField>>;

/** Fields that not every form has. */
type OptionalField = 'external_id' | 'barcodes' | 'article' | 'prices';

const records = recordsOf(products, { ...ofFamily, alwaysEmbeds: () => [fullText] });

/** Operations on the family's products: get, restore. */
export const { Embeds, get, restore } = records;

/** Lists the family's products; a filter by barcode finds those with any such barcode. */
export async function list(actor: Staff, query: ListQuery) {
  const where = await byAnyBarcode(actor.tenant, query.where);
  return records.list(actor, { ...query, where });
}

/**
 * Creates a product. 422 on a duplicate barcode or PLU, on an unknown category, brand, unit, main card or
 * price type, and on a minimum price above a price.
 */
export async function create(actor: Staff, input: ProductInput, { at, checkFloors }: EditOptions) {
  const { images: files, images_old_keys: _, ...card } = input;
  await requireValidCard(actor, card, checkFloors);
  const [id, images] = await Promise.all([nextId(products.type, actor.tenant), storeImages(files)]);
  const product = { ...newProduct(actor, id, card, { cause: 'card', at }), ...imageFields(images) };
  await discardFilesOnFailure(images.flat(), () => records.insertDrawn(actor, product));
  return get(actor, id);
}

/** Time of a change, and the check of prices against costs. */
interface EditOptions {
  readonly at: Instant;
  readonly checkFloors: FloorCheck;
}

/**
 * Edits a product: images are added to the present ones, except those listed for removal; a new price creates
 * a batch in the repricing history. Contract 9.32. 422 as in `create` and `checkFloors`.
 */
export async function edit(
  actor: Staff,
  id: number,
  input: z.output<typeof ProductEdit>,
  options: EditOptions,
) {
  const added = await storeImages(input.images);
  const replaced = await discardFilesOnFailure(added.flat(), () =>
    retryOnContention(async () => {
      const before = await getRecord({ type: products, tenant: actor.tenant, id });
      requireVersion(before);
      return writeEdit(actor, before, { input, added }, options);
    }),
  );
  await discardFiles(keysOf(replaced.flat()));
  return get(actor, id);
}

const Patch = patchOf(Product, ProductEdit, ['images', 'images_old_keys']);

/** Body that changes some fields of a product. Part 5, 5B.10. */
export const ProductPatch = Patch.Body;

/** Edits the fields of a product that a body has; without a change nothing is written. 422 as in `edit`. */
export async function patch(actor: Staff, id: number, fields: PatchFields, options: EditOptions) {
  await retryOnContention(async () => {
    const before = await getRecord({ type: products, tenant: actor.tenant, id });
    requireVersion(before);
    const input = Patch.complete(before, fields);
    if (input) await writeEdit(actor, before, { input, added: [] }, options);
  });
  return get(actor, id);
}

/** Replaces a product by its edit, and returns the images to discard. 422 as in `edit`. */
async function writeEdit(
  actor: Staff,
  before: Stored<typeof Product>,
  { input, added }: { readonly input: z.output<typeof ProductEdit>; readonly added: readonly StoredImage[] },
  { at, checkFloors }: EditOptions,
): Promise<StoredImage[]> {
  const { images: _, images_old_keys, is_correction, ...card } = input;
  const replaced = before.images_list_thumbs.filter((image) => isImageReferenced(image, images_old_keys));
  const remaining = before.images_list_thumbs.filter((image) => !replaced.includes(image));
  const edited = { ...before, ...card, ...imageFields([...remaining, ...added]), updated_at: at };
  const noted = recordPriceCause(before, edited, { cause: 'card', by: actor, at });
  const after = asCorrection(noted, is_correction);
  const issues = new ValidationIssues();
  checkOwnBarcodes(after, card.barcodes !== undefined, issues);
  await checkFloors(actor, [{ before, after }], issues);
  issues.throwIfAny();
  const repricing = await singleRepricing(actor, actor.companyId, [{ before, after }], at);
  await transact([...replacement(products, actor.tenant, before, after), ...repricing]).catch(
    (error: unknown) => records.refuse(actor, after, error),
  );
  return replaced;
}

/**
 * Requires that a new product, never received yet, has different barcodes, and no minimum above its prices.
 * 422 otherwise.
 */
async function requireValidCard(actor: Staff, card: NewCard, checkFloors: FloorCheck): Promise<void> {
  const issues = new ValidationIssues();
  checkOwnBarcodes(card, true, issues);
  await checkFloors(actor, [{ before: undefined, after: { ...card, id: 0 } }], issues);
  issues.throwIfAny();
}

/** Builds a product without images. */
export function newProduct(
  actor: Pick<Staff, 'id' | 'companyId'>,
  id: number,
  card: NewCard,
  { cause, at }: Pick<PriceChangeContext, 'cause' | 'at'>,
): z.input<typeof Product> {
  const prices = card.prices ?? [];
  const made = { ...card, ...fiscalOf(card), ...barcodesOf(card), prices, ...newRecord(actor, id, at) };
  const product = { ...made, images_list: [], images_list_thumbs: [] };
  return recordPriceCause(undefined, product, { cause, by: actor, at });
}

function storeImages(files: ProductInput['images']): Promise<StoredImage[]> {
  return Promise.all(files.flatMap((file) => (file ? [storeImage(file, FOLDER, WIDTHS)] : [])));
}

function imageFields(images: readonly StoredImage[]) {
  if (images.length > MAX_IMAGES) {
    throw invalid({ images: { key: 'validation.too_many_items', with: { max: MAX_IMAGES } } });
  }
  return { images_list: images.flatMap(([size]) => size?.raw ?? []), images_list_thumbs: [...images] };
}
