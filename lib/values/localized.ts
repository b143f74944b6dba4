import * as z from 'zod';
import { linesOfText, text } from './fields.ts';
import { LOCALES, normalizeText } from './text.ts';

/** A text in every language. Part 1, "Shared conventions", 2. */
export const Localized = z.object({ ru: z.string(), uz: z.string(), oz: z.string() });

export type Localized = z.output<typeof Localized>;

/** Returns the schema of a required text in every language. */
export function multilingualText(max: number) {
  const said = text(max);
  return z.object({ ru: said, uz: said, oz: said });
}

/** Returns true for the schema of a text in every language: if the value is missing, each language is. */
export function isLocalized(schema: unknown): boolean {
  return schema instanceof z.ZodObject && Object.keys(schema.shape).join() === LOCALES.join();
}

/** Returns the schema of a text in every language, each and the whole optional; empty if omitted. */
export function optionalLocalizedText(max: number) {
  const lines = linesOfText(max)
    .nullish()
    .transform((value) => value ?? '');
  return z
    .object({ ru: lines, uz: lines, oz: lines })
    .nullish()
    .transform((value) => value ?? { ru: '', uz: '', oz: '' });
}

/** Returns the schema of a text in every language, or a single one that is used for all of them. */
export function multilingualOrOne(max: number) {
  return z
    .union([z.looseObject({}), text(max)])
    .transform((name) => (typeof name === 'string' ? { ru: name, uz: name, oz: name } : name))
    .pipe(multilingualText(max));
}

/** A record with a name in every language. */
interface Named {
  readonly name: Localized;
}

/** The unique names and the search text of such a record. */
export const localizedName = {
  names: ({ name }: Named, scope: string) => uniqueByLanguage('name', scope, name),
  /** Each language is separate, so that a match never spans two of them. */
  folded: ({ name: { ru, uz, oz } }: Named) => ({
    name: { ru: normalizeText(ru), uz: normalizeText(uz), oz: normalizeText(oz) },
  }),
};

/** Returns a unique constraint for each language's text within a scope, at its dotted path. */
export function uniqueByLanguage(path: string, scope: string, name: Localized) {
  return LOCALES.map((locale) => ({ path: `${path}.${locale}`, scope, text: name[locale] }));
}

/** The search text of a name in one language. */
export const nameSearchText = {
  folded: ({ name }: { readonly name: string }) => ({ name: normalizeText(name) }),
};

/** A name in one language that is unique within its tenant, and its search text. */
export const uniqueName = {
  names: ({ name }: { readonly name: string }, scope: string) => [{ path: 'name', scope, text: name }],
  ...nameSearchText,
};
