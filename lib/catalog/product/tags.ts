import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { fullText, Product, products } from '#lib/catalog/card.ts';
import { readPriceTypes } from '#lib/catalog/price-type.ts';
import { priceByType } from '#lib/catalog/type-prices.ts';
import { units } from '#lib/catalog/unit/unit.ts';
import { drawBarCode } from '#lib/printing/barcode.ts';
import { type Html, html } from '#lib/printing/html.ts';
import { printMoney } from '#lib/printing/numbers.ts';
import { type PrintedPage, renderPage } from '#lib/printing/page.ts';
import { embed, sameTenantReference } from '#lib/records/query/embeds.ts';
import { isPresent, parseStored } from '#lib/records/stored.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import { Id, orNull } from '#lib/values/fields.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import type { Locale } from '#lib/values/text.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

const MAX_PRODUCTS = 100;

const MAX_TAGS = 1000;

/** Input to print price tags. Part 5, 5B.8. */
export const TagsInput = z.object({
  products: z
    .array(z.object({ product_id: Id, copies: z.int().min(1).max(100).default(1) }))
    .min(1)
    .max(MAX_PRODUCTS)
    .refine((rows) => rows.reduce((sum, { copies }) => sum + copies, 0) <= MAX_TAGS, {
      error: 'product.too_many_tags',
      params: { max: MAX_TAGS },
    }),
  size: enumeration('tag.size', ['58x40', '43x25', 'a4']),
  /** Type of the printed prices; their sale prices if omitted. */
  price_type_id: orNull(Id),
});

type TagsInput = z.output<typeof TagsInput>;

type TagSize = TagsInput['size'];

/** A sheet of tags: `barCode` is the room for one, in millimetres. */
interface Sheet {
  readonly barCode: number;
  readonly style: string;
}

const COMMON_STYLE = `
* { box-sizing: border-box; }
body { margin: 0; color: #000; background: #fff; font: 8pt/1.15 Arial, 'Liberation Sans', sans-serif; overflow-wrap: anywhere; }
.tag { overflow: hidden; display: flex; flex-direction: column; justify-content: space-between; text-align: center; break-inside: avoid; }
.name { overflow: hidden; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
.price { font-weight: bold; display: flex; flex-wrap: wrap; justify-content: center; align-items: baseline; column-gap: 1mm; }
.price span { white-space: nowrap; }
.unit { font-weight: normal; font-size: 8pt; line-height: 1; max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
.code { font-size: 7pt; overflow: hidden; max-height: 2.4em; }
svg { display: block; margin: 0 auto; }
`;

const SHEETS: Readonly<Record<TagSize, Sheet>> = {
  '58x40': {
    barCode: 55,
    style:
      '@page { size: 58mm 40mm; margin: 0; } .tag { width: 58mm; height: 40mm; padding: 1.5mm; break-after: page; } ' +
      '.price { font-size: 16pt; }',
  },
  '43x25': {
    barCode: 41,
    style:
      '@page { size: 43mm 25mm; margin: 0; } .tag { width: 43mm; height: 25mm; padding: 1mm; break-after: page; } ' +
      '.name { font-size: 6.5pt; } .price { font-size: 10pt; line-height: 1; } .unit, .code { font-size: 6pt; }',
  },
  a4: {
    barCode: 62,
    style:
      '@page { size: A4; margin: 0; } body { display: grid; grid-template-columns: repeat(3, 70mm); ' +
      'grid-auto-rows: 37mm; } .tag { padding: 3mm 4mm; } .price { font-size: 14pt; }',
  },
};

type Card = z.input<typeof Product>;

const EMBEDS = [fullText, sameTenantReference('unit', units.type)];

/**
 * Lays out price tags as a page to print. 422 on a product that is unknown or deleted, and on an unknown
 * price type. Part 5, 5B.8.
 */
export async function printTags(actor: Staff, input: TagsInput, locale: Locale): Promise<PrintedPage> {
  const { cards, typeId } = await readCards(actor, input);
  const { barCode, style } = SHEETS[input.size];
  const tags = await Promise.all(
    input.products.map(async ({ copies }, index) => {
      const card = cards[index];
      return card
        ? Array.from<Html>({ length: copies }).fill(await tagOf(card, { barCode, typeId }, locale))
        : [];
    }),
  );
  const title = translateLabel(locale, { key: 'tags.title' });
  return renderPage({ locale, title, style: COMMON_STYLE + style, body: html`${tags}` });
}

/** Cards to print, and the type of their prices: null if it was deleted. */
interface Printed {
  readonly cards: readonly Card[];
  readonly typeId: number | null;
}

async function readCards({ tenant }: Staff, input: TagsInput): Promise<Printed> {
  const { price_type_id } = input;
  const [items, types] = await Promise.all([
    getItems(input.products.map(({ product_id: id }) => recordKey(products.type, tenant, id))),
    price_type_id === null ? undefined : readPriceTypes(tenant),
  ]);
  const type = price_type_id === null ? undefined : types?.get(price_type_id);
  const issues = new ValidationIssues();
  if (price_type_id !== null && !type) issues.add('price_type_id', 'validation.not_found');
  for (const [index, item] of items.entries())
    if (!isPresent(item)) issues.add(`products.${index}.product_id`, 'validation.not_found');
  issues.throwIfAny();
  const shown = await embed(items.filter(isPresent), EMBEDS);
  const typeId = type && !type.is_deleted ? type.id : null;
  return { cards: shown.map((card) => parseStored(Product, card)), typeId };
}

async function tagOf(
  card: Card,
  { barCode, typeId }: Pick<Sheet, 'barCode'> & Pick<Printed, 'typeId'>,
  locale: Locale,
): Promise<Html> {
  const { name, full_text = name, unit, barcode } = card;
  const { price, currency } = priceByType(card, typeId);
  const per = `${currency.toUpperCase()} / ${unit?.name[locale] ?? ''}`;
  const drawing = await drawBarCode(barcode, barCode);
  return html`<div class="tag"><div class="name">${full_text}</div>
<div class="price"><span>${printMoney(price)}</span> <span class="unit">${per}</span></div>
<div>${drawing ?? null}<div class="code">${barcode}</div></div></div>
`;
}
