import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { latin } from './latin.ts';
import type { Locale } from './text.ts';

/** What refusals say, and the words of forms, sheets and names that the service gives. */
type Catalogue = 'messages' | 'labels';

const Texts = z.record(z.string(), z.string());

type Texts = Readonly<z.output<typeof Texts>>;

/** Those that have been read: a catalogue is a file beside the code, for most calls say nothing of it. */
const read = new Map<string, Texts>();

/** Finds a text in a language: Uzbek in Latin script is the Cyrillic text, written in its letters. */
export function textIn(catalogue: Catalogue, locale: Locale, key: string): string {
  const text = catalogueOf(catalogue, locale === 'ru' ? 'ru' : 'uz')[key];
  if (text === undefined) throw new Error(`There is no text ${key} in ${locale}`);
  return locale === 'oz' ? latin(text) : text;
}

/** Gives all texts of a language, by their keys. */
export function catalogueOf(catalogue: Catalogue, language: 'ru' | 'uz'): Texts {
  const file = `${catalogue}/${language}.json`;
  const known = read.get(file);
  if (known) return known;
  const texts = Texts.parse(JSON.parse(readFileSync(new URL(file, import.meta.url), 'utf8')));
  read.set(file, texts);
  return texts;
}
