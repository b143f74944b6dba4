import type * as z from 'zod';
import { fullText, Product, products } from '#lib/catalog/card.ts';
import { categories } from '#lib/catalog/category.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { embed, sameTenantReference } from '#lib/records/query/embeds.ts';
import { parseStored } from '#lib/records/stored.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { readAllLines } from '#lib/trade/document/lines.ts';
import { type Sale, type SaleLine, sales } from '#lib/trade/sale/record.ts';

/** Line of a sale with its product, including category and unit. */
export interface NamedLine {
  readonly line: SaleLine;
  readonly product: z.input<typeof Product>;
}

const EMBEDS = [
  fullText,
  sameTenantReference('category', categories.type),
  sameTenantReference('unit', units.type),
];

/** Reads all lines of a sale, in the order added. Three round trips. */
export async function readNamedLines(tenant: Tenant, sale: Sale): Promise<NamedLine[]> {
  const lines = await readAllLines(sales, tenant, sale);
  const cards = await getItems(lines.map(({ product_id }) => recordKey(products.type, tenant, product_id)));
  const shown = await embed(
    cards.map((card) => card ?? {}),
    EMBEDS,
  );
  return lines.map((line, index) => ({ line, product: parseStored(Product, shown[index]) }));
}
