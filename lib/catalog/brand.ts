import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { discardFiles, isNamed, keepingFiles, storeImage } from '#lib/files/image-store.ts';
import { ImageSize, imageFile, keysOf, type StoredImage } from '#lib/files/images.ts';
import { PublicUrl } from '#lib/files/storage.ts';
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
import { nextId } from '#lib/table/sequences.ts';
import { Id, JsonStrings, text } from '#lib/values/fields.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

/** A brand of goods, shared by a company and its branches. Part 1, "Brands". */
export const Brand = z.object({
  ...companyRecordFields,
  name: z.string(),
  /** The picture in its own size. */
  image: PublicUrl.nullable(),
  image_thumbs: z.array(ImageSize),
  creator: User.nullish(),
  company: Company.nullish(),
});

/** What it takes to make or edit a brand. */
export const BrandInput = z.object({
  name: text(255),
  image: imageFile(),
  /** Keys or addresses of images to remove. */
  image_old_keys: JsonStrings,
});

type BrandInput = z.output<typeof BrandInput>;

/** How brands are kept. */
export const brands: RecordType<typeof Brand> = {
  type: 'brand',
  schema: Brand,
  names: ({ name }, home) => [{ path: 'name', scope: home, text: name }],
  folded: ({ name }) => ({ name: fold(name) }),
};

const FOLDER = 'brands';
const WIDTHS = [100, 500];

const embeds = { 'creator.profile': creatorEmbed, company: companyEmbed };

/** The list's query string. */
export const BrandList = listQuery({
  filters: {
    id: exactOrList('id', Id),
    creator_id: exact('creator_id', Id),
    company_id: exact('company_id', Id),
    name: substring('name'),
    created_at: period('created_at'),
  },
  sorts: ['id'],
  settled: ['id', 'creator_id', 'company_id', 'created_at'],
  embeds,
  pageSize: 20,
});

/** The query string of a single brand. */
export const BrandEmbeds = embedQuery({ embeds });

/** The family's brands. */
export function list(actor: Staff, query: ListQuery, at: Instant) {
  return listRecords(brands, actor.home, query, at);
}

/** One brand, with what was asked for. */
export function get(actor: Staff, id: number, wanted: readonly Embed[]) {
  return getRecord(brands, actor.home, id, wanted);
}

/** Makes a brand. 422 on a name that the family has, deleted or not. */
export async function create(actor: Staff, input: BrandInput, at: Instant) {
  const [id, image] = await Promise.all([
    nextId(brands.type, actor.home),
    input.image && storeImage(input.image, FOLDER, WIDTHS),
  ]);
  const brand = { ...newBrand(actor, id, input.name, at), ...pictured(image ?? []) };
  return keepingFiles(image ?? [], () => insertRecord(brands, actor.home, brand));
}

/** Changes a brand: a new image takes the old one's place. 422 on a name that another of the family has. */
export async function edit(actor: Staff, id: number, input: BrandInput, at: Instant) {
  const image = input.image && (await storeImage(input.image, FOLDER, WIDTHS));
  let replaced: StoredImage = [];
  const brand = await keepingFiles(image ?? [], () =>
    editRecord(brands, actor.home, id, at, (before) => {
      const isGone = image !== undefined || isNamed(before.image_thumbs, input.image_old_keys);
      replaced = isGone ? before.image_thumbs : [];
      return { ...before, name: input.name, ...(isGone && pictured(image ?? [])) };
    }),
  );
  await discardFiles(keysOf(replaced));
  return brand;
}

/** Deletes a brand, softly. */
export function remove(actor: Staff, id: number, at: Instant) {
  return removeRecord(brands, actor.home, id, at);
}

/** Takes a deletion back. 404 for a brand that is not deleted. */
export function restore(actor: Staff, id: number, at: Instant) {
  return restoreRecord(brands, actor.home, id, at);
}

/** A brand with nothing but its name yet. */
export function newBrand(actor: Staff, id: number, name: string, at: Instant): z.input<typeof Brand> {
  return {
    id,
    creator_id: actor.id,
    company_id: actor.companyId,
    name,
    image: null,
    image_thumbs: [],
    created_at: at,
    updated_at: at,
    is_deleted: false,
  };
}

function pictured(image: StoredImage) {
  return { image: image[0]?.raw ?? null, image_thumbs: image };
}
