import * as z from 'zod';
import { isPriceTypeLive, type PriceTypes, readPriceTypes } from '#lib/catalog/price-type.ts';
import { type TypePrice, typePriceOf, withTypePrice } from '#lib/catalog/type-prices.ts';
import { readNumber, textCell } from '#lib/files/columns.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { amount, Currency } from '#lib/values/money.ts';
import { normalizeText } from '#lib/values/text.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/*
 * Prices by type in a workbook: a column for each type, headed `<price>: <its name>`, with `10.5 usd`. Types
 * come and go between a download and its return, so these columns are known by their headings. Part 5, 5B.9.
 */

/** Letters of a currency, at the end of a cell. */
const CURRENCY = 3;

const Cell = z
  .string()
  .transform((cell, context) => {
    const reading = readNumber(cell.slice(0, -CURRENCY).trim());
    if ('issue' in reading) context.addIssue({ code: 'custom', message: reading.issue, path: ['price'] });
    const currency = cell.slice(-CURRENCY).toLowerCase();
    return { price: 'value' in reading ? reading.value : 1, currency };
  })
  .pipe(z.object({ price: amount(0.01), currency: Currency }));

/** Field schema of the cells of a row, in the order of the columns. */
export const priceCells = z.array(textCell(Cell.optional()));

type PriceCells = z.output<typeof priceCells>;

/** Returns the text of such a cell. */
export function typePriceText(prices: readonly TypePrice[], typeId: number): string | null {
  const price = typePriceOf({ prices }, typeId);
  return price ? `${price.price / 100} ${price.currency}` : null;
}

/** Returns the id of the type of each column; undefined for one that is unknown, deleted, or there before. */
function typesOfHeadings(headings: readonly string[], types: PriceTypes): (number | undefined)[] {
  const live = [...types.values()].filter(({ id }) => isPriceTypeLive(types, id));
  const byName = new Map(live.map(({ id, name }) => [normalizeText(name), id]));
  const ids = headings.map((heading) => byName.get(normalizeText(heading.slice(heading.indexOf(':') + 1))));
  return ids.map((id, index) => (ids.indexOf(id) === index ? id : undefined));
}

/** Price types of a workbook: the family's, and those of its columns. */
export interface SheetTypes {
  readonly types: PriceTypes;
  readonly columns: readonly (number | undefined)[];
}

/** Reads the price types of a workbook; none if it has no columns of them. */
export async function readSheetTypes(tenant: Tenant, headings: readonly string[]): Promise<SheetTypes> {
  const types = headings.some((heading) => heading !== '') ? await readPriceTypes(tenant) : new Map();
  return { types, columns: typesOfHeadings(headings, types) };
}

/** Requires that filled cells are of known types. 422 on them otherwise. */
export function checkPriceCells(
  rows: Readonly<Record<string, { readonly prices: PriceCells }>>,
  { columns }: SheetTypes,
  issues: ValidationIssues,
): void {
  for (const [number, { prices }] of Object.entries(rows)) {
    for (const [index, price] of prices.entries()) {
      if (price && columns[index] === undefined)
        issues.add(`rows.${number}.prices.${index}`, 'validation.not_found');
    }
  }
}

/** Returns the prices of a card after a row; an empty cell leaves its price unchanged. */
export function pricesAfter(
  known: readonly TypePrice[],
  cells: PriceCells,
  { types, columns }: SheetTypes,
): TypePrice[] {
  return cells.reduce<TypePrice[]>(
    (prices, cell, index) => {
      const price_type_id = columns[index];
      if (!cell || price_type_id === undefined) return prices;
      return withTypePrice(prices, { price_type_id, ...cell }, (id) => isPriceTypeLive(types, id));
    },
    [...known],
  );
}
