import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { latin } from './latin.ts';
import type { Locale } from './text.ts';

/** Messages of errors; labels of printed forms, sheets and generated names. */
type Catalogue = 'messages' | 'labels';

const Texts = z.record(z.string(), z.string());

type Texts = Readonly<z.output<typeof Texts>>;

/** Loaded catalogues: files beside the code, since most calls need none. */
const read = new Map<string, Texts>();

/** Returns a text in a language: Uzbek in Latin script is transliterated from the Cyrillic text. */
export function textIn(catalogue: Catalogue, locale: Locale, key: string): string {
  const text = catalogueOf(catalogue, locale === 'ru' ? 'ru' : 'uz')[key];
  if (text === undefined) throw new Error(`There is no text ${key} in ${locale}`);
  return locale === 'oz' ? latin(text) : text;
}

/** Returns all texts of a language, by key. */
export function catalogueOf(catalogue: Catalogue, language: 'ru' | 'uz'): Texts {
  const file = `${catalogue}/${language}.json`;
  const cached = read.get(file);
  if (cached) return cached;
  const texts = Texts.parse(JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')));
  read.set(file, texts);
  return texts;
}
