import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import {
  discardFiles,
  discardFilesOnFailure,
  isImageReferenced,
  storeImage,
} from '#lib/files/image-store.ts';
import { ImageSize, imageFile, keysOf, type StoredImage } from '#lib/files/images.ts';
import { PublicUrl } from '#lib/files/storage.ts';
import { familyEmbeds, familyFilters, familyRecordFields } from '#lib/people/family-record.ts';
import {
  externalIdConstraints,
  externalIdField,
  externalIdFilter,
  externalIdInput,
} from '#lib/records/external-id.ts';
import { DEFAULT_PAGE_SIZE, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { newRecord, ofFamily, recordsOf } from '#lib/records/records-of.ts';
import { nextId } from '#lib/table/sequences.ts';
import { JsonStrings, text } from '#lib/values/fields.ts';
import { uniqueName } from '#lib/values/localized.ts';
import type { Instant } from '#lib/values/time.ts';

/** Brand of goods, shared by a company and its branches. Part 1, "Brands". */
export const Brand = z.object({
  ...familyRecordFields,
  ...externalIdField,
  name: z.string(),
  /** The image in its original size. */
  image: PublicUrl.nullable(),
  image_thumbs: z.array(ImageSize),
});

/** Input to create or edit a brand. */
export const BrandInput = z.object({
  name: text(255),
  ...externalIdInput,
  image: imageFile(),
  /** Keys or addresses of images to remove. */
  image_old_keys: JsonStrings,
});

type BrandInput = z.output<typeof BrandInput>;

/** Input to create a brand from within another form. */
export const BrandName = BrandInput.pick({ name: true });

/** Record type of brands. */
export const brands: RecordType<typeof Brand> = {
  type: 'brand',
  copied: 'product.brand',
  pageSize: DEFAULT_PAGE_SIZE,
  schema: Brand,
  filters: { ...familyFilters, ...externalIdFilter, name: substring('name') },
  embeds: familyEmbeds,
  ...uniqueName,
  names: (brand, tenant) => [...uniqueName.names(brand, tenant), ...externalIdConstraints(brand, tenant)],
};

const FOLDER = 'brands';
const WIDTHS = [100, 500];

const records = recordsOf(brands, ofFamily);

/** Operations on the family's brands: list, get, delete, restore. */
export const { List, Embeds, list, get, remove, restore } = records;

/** Creates a brand. 422 on a duplicate name in the family, deleted or not. */
export async function create(actor: Staff, input: BrandInput, at: Instant) {
  const [id, image] = await Promise.all([
    nextId(brands.type, actor.tenant),
    input.image && storeImage(input.image, FOLDER, WIDTHS),
  ]);
  const { name, external_id } = input;
  const brand = { ...newBrand(actor, id, name, at), external_id, ...imageFields(image ?? []) };
  return discardFilesOnFailure(image ?? [], () => records.insertDrawn(actor, brand));
}

/** Creates a brand from a name alone. Part 1, "Shared helper methods". 422 as in `create`. */
export function createNamedBrand(actor: Staff, name: string, at: Instant) {
  return records.insert(actor, at, ({ id }) => newBrand(actor, id, name, at));
}

/** Edits a brand; a new image replaces the old one. 422 on the name of another brand of the family. */
export async function edit(actor: Staff, id: number, input: BrandInput, at: Instant) {
  const image = input.image && (await storeImage(input.image, FOLDER, WIDTHS));
  let replaced: StoredImage = [];
  const brand = await discardFilesOnFailure(image ?? [], () =>
    records.change(actor, id, at, (before) => {
      const isGone = image !== undefined || isImageReferenced(before.image_thumbs, input.image_old_keys);
      replaced = isGone ? before.image_thumbs : [];
      const { name, external_id = before.external_id } = input;
      return { ...before, name, external_id, ...(isGone && imageFields(image ?? [])) };
    }),
  );
  await discardFiles(keysOf(replaced));
  return brand;
}

/** Builds a brand with only a name. */
export function newBrand(actor: Staff, id: number, name: string, at: Instant): z.input<typeof Brand> {
  return { ...newRecord(actor, id, at), name, image: null, image_thumbs: [] };
}

function imageFields(image: StoredImage) {
  return { image: image[0]?.raw ?? null, image_thumbs: image };
}
