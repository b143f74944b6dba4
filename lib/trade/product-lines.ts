import type * as z from 'zod';
import { fullText, products } from '#lib/catalog/product-card.ts';
import { embed, reference } from '#lib/records/embeds.ts';
import { readLines } from '#lib/records/lines.ts';
import { vouched } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { type Place, recordKey } from '#lib/table/keys.ts';

/** The lines of a document that has so many, each with its product. Two or three round trips. */
export async function readProductLines<S extends z.ZodType<unknown, Item>>(
  schema: S,
  document: Place,
  count: number,
): Promise<z.input<S>[]> {
  const product = reference(
    'product',
    ({ product_id }) => recordKey(products.type, document.home, Number(product_id)),
    fullText,
  );
  const lines = await readLines(schema, document, count);
  const shown = await embed(lines, [product]);
  return shown.map((line) => vouched(schema, line));
}
