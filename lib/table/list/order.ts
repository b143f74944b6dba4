import type { Item } from '#lib/table/client.ts';
import type { ListRequest } from '#lib/table/read/request.ts';

// Created once: `localeCompare` looks up its rules for every pair, most of the time of sorting 100 000 texts.
const texts = new Intl.Collator();

/** Returns the order of rows by a field, and by id among equals. */
export function order({ field, descending }: ListRequest['sort']) {
  const sign = descending ? -1 : 1;
  return (a: Item, b: Item) => sign * (compare(a[field], b[field]) || compare(a['id'], b['id']));
}

function compare(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return texts.compare(String(a), String(b));
}
