import type * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { services } from '#lib/catalog/service/service.ts';
import { companies } from '#lib/people/company/record.ts';
import { type ReportSettings, reportSettingsOf } from '#lib/people/company/report-settings.ts';
import { findRecord } from '#lib/records/record.ts';
import {
  type CardOfGoods,
  cardsOf,
  keyOfCard,
  namesOfGoods,
  productNames,
} from '#lib/reports/frame/cards.ts';
import { readNames } from '#lib/reports/frame/names.ts';
import { inOrderOfCurrency } from '#lib/reports/frame/order.ts';
import type { ReportPage } from '#lib/reports/frame/report.ts';
import { reportSheet } from '#lib/reports/frame/sheet.ts';
import { costCorrectionRollups } from '#lib/reports/rollups/cost-corrections.ts';
import {
  returnedGoodsRollups,
  returnedServicesRollups,
  soldGoodsRollups,
  soldServicesRollups,
} from '#lib/reports/rollups/goods.ts';
import { PLATFORM, type Tenant } from '#lib/table/keys.ts';
import { pageSlice } from '#lib/table/read/request.ts';
import { readRollups } from '#lib/table/rollups/read.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import type { Locale } from '#lib/values/text.ts';
import { abcOf } from './abc.ts';
import { addUpGoods, figuresOfGoods, type GoodsGroup, ProductsRow } from './figures.ts';
import { goodsOfCorrections, sumGoods } from './goods.ts';
import { byFigure } from './order.ts';
import type { ProductsGroup, ProductsQuery } from './query.ts';
import { type ProductsSelection, readProductsSelection } from './selection.ts';

type Query = z.output<typeof ProductsQuery>;

type Cards = ReadonlyMap<number, CardOfGoods>;

/** The report as a workbook. */
export const productsSheet = reportSheet(ProductsRow, 'report.products');

/**
 * Sums the goods, or the services, sold and returned in a period within the caller's reach. 422 on a filter
 * out of reach, and on too many days. Returns a page of the rows, all of them for a workbook.
 */
export async function productsReport(
  actor: Staff,
  query: Query,
  locale: Locale,
): Promise<ReportPage<ProductsRow>> {
  const { tenant } = actor;
  const isOfServices = query.group === 'service';
  const selecting = inBackground(readProductsSelection(actor, query.filter));
  const [selection, sold, returned, corrected, settings] = await Promise.all([
    selecting,
    readRollups(isOfServices ? soldServicesRollups : soldGoodsRollups, tenant, selecting),
    readRollups(isOfServices ? returnedServicesRollups : returnedGoodsRollups, tenant, selecting),
    readRollups(
      costCorrectionRollups,
      tenant,
      inBackground(selecting.then(({ corrections }) => corrections)),
    ),
    settingsOf(actor),
  ]);
  const corrections = isOfServices ? [] : goodsOfCorrections(corrected);
  const all = addUpGoods([...sumGoods(sold, returned), ...corrections]);
  const isOfCards = !isOfServices && (selection.categories !== undefined || query.group !== 'product');
  const cards: Cards = isOfCards ? await cardsOf(tenant, idsOf(all)) : new Map();
  const products = inCategories(all, selection, cards);
  const totals = addUpGoods(products.map((each) => ({ ...each, key: null })));
  const rows = rowsOf(products, totals, { group: query.group, cards, settings });
  const data = rows.sort(byFigure(query.sort));
  const page = { page: query.page, pageSize: query['page-size'] };
  const shown = query.format === 'excel' ? data : pageSlice(data, page);
  const labelOf = await readLabels(tenant, { group: query.group, cards, ids: idsOf(shown) }, locale);
  return {
    data: shown.map((row) => ({ ...row, label: labelOf(row.key) })),
    total: data.length,
    totals: totals
      .map((each) => ({ ...each, label: null, ...figuresOfGoods(each, each.revenue), abc: null }))
      .sort(inOrderOfCurrency),
    period: query.filter.date,
  };
}

/** Reads the ends of the ABC segments from the main company's settings. */
async function settingsOf({ familyId }: Staff): Promise<ReportSettings> {
  const main = await findRecord({ type: companies, tenant: PLATFORM, id: familyId });
  return reportSettingsOf(main ?? {});
}

function inCategories(
  goods: readonly GoodsGroup[],
  { categories }: ProductsSelection,
  cards: Cards,
): readonly GoodsGroup[] {
  if (!categories) return goods;
  return goods.filter(({ key }) => {
    const card = cards.get(Number(key));
    return card !== undefined && categories.has(card.category_id);
  });
}

/** Builds the rows of a grouping; the current product card decides category and brand. */
function rowsOf(
  products: readonly GoodsGroup[],
  totals: readonly GoodsGroup[],
  { group, cards, settings }: { group: ProductsGroup; cards: Cards; settings: ReportSettings },
): Omit<ProductsRow, 'label'>[] {
  const keyOf = ({ key }: GoodsGroup) => {
    if (group === 'product' || group === 'service') return key;
    const card = cards.get(Number(key));
    return card ? keyOfCard(group, card) : null;
  };
  const groups = addUpGoods(products.map((each) => ({ ...each, key: keyOf(each) })));
  return totals.flatMap(({ currency, revenue: whole }) => {
    const own = groups.filter((each) => each.currency === currency);
    const segments = group === 'product' ? abcOf(own, settings) : undefined;
    return own.map((each) => ({
      key: each.key,
      currency,
      ...figuresOfGoods(each, whole),
      abc: segments?.get(each.key) ?? null,
    }));
  });
}

/** Reads the labels of rows. One round trip, two for variants. */
async function readLabels(
  tenant: Tenant,
  { group, cards, ids }: { group: ProductsGroup; cards: Cards; ids: readonly number[] },
  locale: Locale,
): Promise<(key: ProductsRow['key']) => string | null> {
  const nameOf = await namesOf();
  return (key) => (typeof key === 'number' ? nameOf(key) : null);

  async function namesOf() {
    if (group === 'service') return readNames({ type: services.type, tenant }, ids);
    if (group !== 'product') return namesOfGoods(tenant, { group, ids }, locale);
    const shown =
      cards.size > 0 ? new Map(ids.flatMap((id) => entryOf(cards, id))) : await cardsOf(tenant, ids);
    return productNames(tenant, shown);
  }
}

function entryOf(cards: Cards, id: number): [number, CardOfGoods][] {
  const card = cards.get(id);
  return card ? [[id, card]] : [];
}

function idsOf(rows: readonly Pick<ProductsRow, 'key'>[]): number[] {
  return rows.flatMap(({ key }) => (typeof key === 'number' ? [key] : []));
}
