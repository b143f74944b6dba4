import type * as z from 'zod';
import { fullText, Product, products } from '#lib/catalog/card.ts';
import { categories } from '#lib/catalog/category.ts';
import { Service, services, unitEmbed } from '#lib/catalog/service/service.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { embed, sameTenantReference } from '#lib/records/query/embeds.ts';
import { parseStored } from '#lib/records/stored.ts';
import { recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { readAllLines } from '#lib/trade/document/lines.ts';
import { type Sale, type SaleLine, sales } from '#lib/trade/sale/record.ts';
import type { Localized } from '#lib/values/localized.ts';
import type { Units } from '#lib/values/quantity.ts';

/** Line of a sale with the names of its product or service. */
export interface NamedLine
  extends Pick<SaleLine, 'id' | 'price' | 'discount' | 'amount' | 'vat_percent' | 'vat_amount'> {
  readonly quantity: Units;
  readonly name: string;
  readonly barcode: string | null;
  readonly category: Localized | null;
  readonly unit: Localized | null;
}

const EMBEDS = [
  fullText,
  sameTenantReference('category', categories.type),
  sameTenantReference('unit', units.type),
];

/** Reads all lines of a sale in the order added, then its services. Three round trips. */
export async function readNamedLines(tenant: Tenant, sale: Sale): Promise<NamedLine[]> {
  const [goods, sold] = await Promise.all([goodsOf(tenant, sale), servicesOf(tenant, sale)]);
  return [...goods, ...sold];
}

async function goodsOf(tenant: Tenant, sale: Sale): Promise<NamedLine[]> {
  const lines = await readAllLines(sales, tenant, sale);
  const cards = await getItems(lines.map(({ product_id }) => recordKey(products.type, tenant, product_id)));
  const shown = await embed(
    cards.map((card) => card ?? {}),
    EMBEDS,
  );
  return lines.map((line, index) => {
    const product: z.input<typeof Product> = parseStored(Product, shown[index]);
    const { full_text, name, barcode, category, unit } = product;
    const names = { name: full_text ?? name, category: category?.name ?? null, unit: unit?.name ?? null };
    return { ...line, quantity: line.sold_quantity, barcode, ...names };
  });
}

async function servicesOf(tenant: Tenant, { services: sold = [] }: Sale): Promise<NamedLine[]> {
  const cards = await getItems(sold.map(({ service_id }) => recordKey(services.type, tenant, service_id)));
  const shown = await embed(
    cards.map((card) => card ?? {}),
    [unitEmbed],
  );
  return sold.map((line, index) => {
    const { name, service_unit } = parseStored(Service, shown[index]);
    return { ...line, name, barcode: null, category: null, unit: service_unit?.name ?? null };
  });
}
