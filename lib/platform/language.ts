import * as z from 'zod';
import type { Administrator } from '#lib/auth/actor.ts';
import { discardFiles, discardFilesOnFailure, storeImage } from '#lib/files/image-store.ts';
import { ImageBySize, imageFile, keysOf, type StoredImage } from '#lib/files/images.ts';
import { exact, platformFilters, substring } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { recordFields } from '#lib/records/stored.ts';
import { text } from '#lib/values/fields.ts';
import { normalizeText } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';

const StoredLanguage = z.object({
  ...recordFields,
  name: z.string(),
  code: z.string(),
  image: ImageBySize,
  is_active: z.boolean(),
  is_main: z.boolean(),
});

/** A language of the platform; they can't be created, deleted or restored over HTTP. Part 1, "Languages". */
export const Language = StoredLanguage.omit({ is_deleted: true });

/** Response to the edit of a language. Part 1, "Languages". */
export const EditedLanguage = Language.extend({ is_active: z.boolean().transform(Number).pipe(z.int()) });

/** Input to edit a language. */
export const LanguageInput = z.object({ name: text(255), image: imageFile() });

type LanguageInput = z.output<typeof LanguageInput>;

/** Record type of languages. */
export const languages: RecordType<typeof StoredLanguage> = {
  type: 'language',
  schema: StoredLanguage,
  names: ({ name, code }, tenant) => [
    { path: 'name', scope: tenant, text: name },
    { path: 'code', scope: tenant, text: code },
  ],
  folded: ({ name, code }) => ({ common: normalizeText(`${name}\n${code}`) }),
};

const FOLDER = 'languages';
const WIDTHS = [25, 100, 500];

/** Query string of the list: `common` is a part of the name or the code. */
export const LanguageList = listQuery(
  {
    id: platformFilters.id,
    is_active: exact('is_active', z.boolean()),
    is_main: exact('is_main', z.boolean()),
    common: substring('common'),
    name: exact('name', z.string()),
    code: exact('code', z.string()),
  },
  { sorts: ['id', 'name', 'code'] },
);

/** Query string of a single language. */
export const LanguageEmbeds = embedQuery({});

const records = recordsOf(languages, ofPlatform);

/** List and get the languages. */
export const { list, get } = records;

/**
 * Edits the name of a language, and its image if one is given. 422 on a taken name. The contract clears a
 * cache of languages here; this service has none.
 */
export async function edit(actor: Administrator, id: number, input: LanguageInput, at: Instant) {
  const image = input.image && (await storeImage(input.image, FOLDER, WIDTHS));
  let replaced: StoredImage = [];
  const language = await discardFilesOnFailure(image ?? [], () =>
    records.change(actor, id, at, (before) => {
      replaced = image ? before.image : [];
      return { ...before, name: input.name, image: image ?? before.image };
    }),
  );
  await discardFiles(keysOf(replaced));
  return language;
}
