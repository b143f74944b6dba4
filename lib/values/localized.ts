import * as z from 'zod';
import { linesOfText, text } from './fields.ts';
import { LOCALES, normalizeText } from './text.ts';

/** A text in every language. Part 1, "Shared conventions", 2. */
export const Localized = z.object({ ru: z.string(), uz: z.string(), oz: z.string() });

export type Localized = z.output<typeof Localized>;

/** Makes a required text in every language. */
export function multilingualText(max: number) {
  return z.object({ ru: text(max), uz: text(max), oz: text(max) });
}

/** Tells whether a schema is that of a text in every language: if it is missing, each of them is. */
export function isLocalized(schema: unknown): boolean {
  return schema instanceof z.ZodObject && Object.keys(schema.shape).join() === LOCALES.join();
}

/** Makes a text of which each language, and the whole, may be left out; if it is, the text is empty. */
export function optionalLocalizedText(max: number) {
  const said = linesOfText(max)
    .nullish()
    .transform((value) => value ?? '');
  return z
    .object({ ru: said, uz: said, oz: said })
    .nullish()
    .transform((value) => value ?? { ru: '', uz: '', oz: '' });
}

/** Makes a text in every language, or one that stands for all of them. */
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

/** The unique names of such a record, and the name's folded text. */
export const localizedName = {
  names: ({ name }: Named, scope: string) => uniqueByLanguage('name', scope, name),
  /** Each language by itself: what is looked for never runs over from one to the next. */
  folded: ({ name: { ru, uz, oz } }: Named) => ({
    name: { ru: normalizeText(ru), uz: normalizeText(uz), oz: normalizeText(oz) },
  }),
};

/** Claims each language's text as a unique name within a scope, at its dotted path. */
export function uniqueByLanguage(path: string, scope: string, name: Localized) {
  return LOCALES.map((locale) => ({ path: `${path}.${locale}`, scope, text: name[locale] }));
}

/** The folded text of a name in one language, which lists search. */
export const nameSearchText = {
  folded: ({ name }: { readonly name: string }) => ({ name: normalizeText(name) }),
};

/** A name in one language that is unique in its home, and its folded text. */
export const uniqueName = {
  names: ({ name }: { readonly name: string }, scope: string) => [{ path: 'name', scope, text: name }],
  ...nameSearchText,
};
