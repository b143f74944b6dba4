import { daysOf } from '#lib/values/time.ts';
import type { ReturnedDocument, SoldDocument } from './documents.ts';
import type { PlayHistory } from './play.ts';

/* What the report of sales must be by cheques and returns. Amounts are in 1/100 here. */

const WAYS = ['cash', 'card', 'bank', 'bonus', 'debt', 'exchange', 'deposit'] as const;

/** A choice of days and documents for a report. */
export interface Asked {
  readonly from: string;
  readonly to: string;
  readonly isAsked: (document: Pick<SoldDocument, 'company_id' | 'cashbox_id' | 'stock_id'>) => boolean;
}

type Key = string | number | null;

/** A document, with what rows are of. */
interface Of extends Pick<SoldDocument, 'company_id' | 'cashbox_id' | 'creator_id'> {
  readonly day: string;
}

/** Adds up cheques and returns by what a group asks for, and by currency. */
export function salesRows(kept: PlayHistory, asked: Asked, keyOf: (of: Of) => Key) {
  const [sold, returned] = chosen(kept, asked);
  const keys = new Map<string, { key: Key; currency: string }>();
  const note = (day: string, document: SoldDocument | ReturnedDocument) => {
    const row = { key: keyOf({ ...document, day }), currency: document.currency };
    keys.set(JSON.stringify(row), row);
  };
  for (const sale of sold) note(dayOf(sale.sold_at), sale);
  for (const each of returned) note(dayOf(each.created_at), each);
  return [...keys.values()].map((row) => {
    const isOf = (day: string, document: SoldDocument | ReturnedDocument) =>
      keyOf({ ...document, day }) === row.key && document.currency === row.currency;
    const sales = sold.filter((sale) => isOf(dayOf(sale.sold_at), sale));
    const backs = returned.filter((each) => isOf(dayOf(each.created_at), each));
    return { ...row, ...figures(sales, backs) };
  });
}

/** Adds the rows of days without anything in a currency of the period. Part 4, 4.5, 3. */
export function withEmptyDays<R extends { key: Key; currency: string }>(
  rows: readonly R[],
  { from, to }: Asked,
  currencies: readonly string[],
) {
  const busy = new Set(rows.map(({ key, currency }) => `${key} ${currency}`));
  const zeros = daysOf(from, to).flatMap((key) =>
    currencies
      .filter((currency) => !busy.has(`${key} ${currency}`))
      .map((currency) => ({ key, currency, ...figures([], []) })),
  );
  return [...rows, ...zeros];
}

/** Finds the cheques and returns that are asked for. */
export function chosen({ sold, returned }: PlayHistory, { from, to, isAsked }: Asked) {
  const isWithin = (at: string) => from <= dayOf(at) && dayOf(at) <= to;
  return [
    sold.filter((sale) => isWithin(sale.sold_at) && isAsked(sale)),
    returned.filter(
      (each) => isWithin(each.created_at) && isAsked({ ...each, stock_id: each.report_stock_id }),
    ),
  ] as const;
}

function figures(sold: readonly SoldDocument[], returned: readonly ReturnedDocument[]) {
  const [amount, back] = [
    sum(sold, (sale) => cents(sale.sold_amount)),
    sum(returned, (each) => cents(each.amount)),
  ];
  const cost = sum(sold, (sale) => cents(sale.purchased_amount)) - sum(returned, (each) => cents(each.cost));
  const revenue = amount - back;
  const count = sold.length;
  return {
    ...{ sales_count: count, returns_count: returned.length },
    ...{ sold_amount: amount / 100, returned_amount: back / 100, revenue: revenue / 100 },
    ...{ cost: cost / 100, cost_corrections: 0, profit: (revenue - cost) / 100 },
    margin_percent: revenue === 0 ? null : percent(revenue - cost, revenue),
    average_cheque: count === 0 ? null : Math.floor((2 * amount + count) / (2 * count)) / 100,
    discount_amount: sum(sold, ({ products }) => sum(products, ({ discount }) => cents(discount))) / 100,
    by_payment_type: Object.fromEntries(
      WAYS.map((way) => [way, sum(sold, (sale) => paidBy(way, sale)) / 100]),
    ),
  };
}

function paidBy(way: string, { transactions, exchanged_amount, change_amount }: SoldDocument): number {
  if (way === 'exchange') return cents(exchanged_amount);
  const paid = transactions.filter(({ payment_type }) => payment_type === way);
  const counted = sum(paid, ({ counted_amount }) => cents(counted_amount));
  return way === 'cash' ? counted - cents(change_amount) : counted;
}

/** Computes a share in percent with two decimals, rounded half away from zero. */
export function percent(part: number, whole: number): number {
  const [of, all] = [Math.abs(part), Math.abs(whole)];
  return (Math.sign(part / whole) * Math.floor((20_000 * of + all) / (2 * all))) / 100;
}

/** Reads an amount as 1/100. */
export function cents(amount: number): number {
  return Math.round(amount * 100);
}

export function dayOf(at: string): string {
  return at.slice(0, 10);
}

/** Adds up something of each. */
export function sum<T>(all: readonly T[], of: (each: T) => number): number {
  return all.reduce((total, each) => total + of(each), 0);
}
