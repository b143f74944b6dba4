import { type Staff, seesCosts } from '#lib/auth/actor.ts';
import { fullText, products } from '#lib/catalog/card.ts';
import { type Cell, type SheetColumn, writeSheet } from '#lib/files/sheet-writer.ts';
import { WORKBOOK_TYPE } from '#lib/files/workbooks.ts';
import { companyColumn, creatorColumn } from '#lib/people/family-record.ts';
import { nameOfUserItem, personEmbed } from '#lib/people/user/colleague.ts';
import { embed } from '#lib/records/query/embeds.ts';
import { linkColumn } from '#lib/records/sheet/column.ts';
import { documentSheet } from '#lib/records/sheet/sheet.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { type CheckedLine, totalsOf } from '#lib/trade/stocktake/line.ts';
import { linesIn } from '#lib/trade/stocktake/positions.ts';
import { StoredStocktake, stocktakes } from '#lib/trade/stocktake/record.ts';
import { readWithPositions } from '#lib/trade/stocktake/show.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import { Currency } from '#lib/values/money.ts';
import { ONE } from '#lib/values/quantity.ts';
import type { Locale } from '#lib/values/text.ts';

const SUMS = ['stock_quantity', 'actual_quantity', 'quantity_diff_above', 'quantity_diff_below'] as const;

/** Workbook of the history. Part 2, "Inventories". */
export const stocktakeSheet = documentSheet(
  stocktakes,
  StoredStocktake,
  'sheet.inventories',
  ({ column, columnUnder }) => [
    column('id', 'number'),
    column('created_at', 'moment'),
    columnUnder('inventory.column.type', 'type', 'text', (type) => ({ key: `inventory.type.${type}` })),
    column('status', 'text', (status) => ({ key: `inventory.status.${status}` })),
    column('completed_at', 'moment'),
    companyColumn,
    linkColumn('column.stock', warehouseEmbed),
    linkColumn('inventory.column.responsible', personEmbed('responsible'), nameOfUserItem),
    creatorColumn,
    column('products_count', 'number'),
    columnUnder('inventory.column.checked', 'checked_products_count', 'number'),
    columnUnder('inventory.column.matched', 'matched_products_count', 'number'),
    ...SUMS.map((name) =>
      columnUnder(`inventory.column.${name}`, name, 'number', (quantity) => quantity / ONE),
    ),
    ...(['above', 'below'] as const).flatMap((side) =>
      Currency.options.map((currency) =>
        columnUnder(amountOfSide(side, currency), `${side}_${currency}`, 'money', (sum) => sum ?? 0),
      ),
    ),
    column('comment', 'text'),
  ],
);

/** Returns the heading of a surplus or a shortage in a currency. */
function amountOfSide(side: 'above' | 'below', currency: Currency) {
  return { key: `inventory.column.amount_${side}`, with: { currency: currency.toUpperCase() } } as const;
}

/** Lines written at once, with their cards. */
const STEP = 500;

const TEXTS = ['name', 'barcode', 'plu'] as const;
const QUANTITIES = ['stock_quantity', 'actual_quantity', 'difference'] as const;

/**
 * Writes the workbook that compares counted with book quantities: a row for each checked line. Part 2,
 * "Inventories".
 */
export async function comparisonSheet(actor: Staff, id: number, locale: Locale) {
  const { positions } = await readWithPositions(actor, id);
  const title = translateLabel(locale, { key: 'inventory.title', with: { id } });
  const content = await writeSheet(title, columnsIn(locale), rowsFor(actor, linesIn(positions)));
  return { filename: `${title}.xlsx`, type: WORKBOOK_TYPE, content };
}

function columnsIn(locale: Locale): SheetColumn[] {
  const heading = (name: (typeof TEXTS | typeof QUANTITIES)[number]) =>
    translateLabel(locale, { key: `inventory.column.${name}` });
  const sums = (['above', 'below'] as const).flatMap((side) =>
    Currency.options.map((currency) => translateLabel(locale, amountOfSide(side, currency))),
  );
  return [
    ...TEXTS.map((name) => ({ heading: heading(name), kind: 'text' }) as const),
    ...QUANTITIES.map((name) => ({ heading: heading(name), kind: 'number' }) as const),
    ...sums.map((sum) => ({ heading: sum, kind: 'money' }) as const),
  ];
}

async function* rowsFor(actor: Staff, counted: readonly CheckedLine[]): AsyncGenerator<Cell[][]> {
  const { tenant } = actor;
  const sees = seesCosts(actor);
  for (let from = 0; from < counted.length; from += STEP) {
    const lines = counted.slice(from, from + STEP);
    const cards = await getItems(lines.map(({ product_id }) => recordKey(products.type, tenant, product_id)));
    const shown = await embed(
      cards.map((card) => card ?? {}),
      [fullText],
    );
    yield lines.map((line, index) => cellsFor(line, shown[index] ?? {}, sees));
  }
}

function cellsFor(line: CheckedLine, card: Readonly<Record<string, unknown>>, sees: boolean): Cell[] {
  const { stock_quantity, actual_quantity } = line;
  const totals = sees ? totalsOf(line) : undefined;
  const text = (value: unknown) => (typeof value === 'string' ? value : null);
  return [
    text(card['full_text']),
    text(card['barcode']),
    text(card['plu']),
    stock_quantity / ONE,
    actual_quantity / ONE,
    (actual_quantity - stock_quantity) / ONE,
    ...Currency.options.map((currency) => totals?.[`above_${currency}`] ?? null),
    ...Currency.options.map((currency) => totals?.[`below_${currency}`] ?? null),
  ];
}
