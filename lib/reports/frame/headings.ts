import type { Label, LabelKey } from '#lib/values/labels/label.ts';
import { Currency } from '#lib/values/money.ts';

/** Heading of each column of a report by its field. */
const HEADINGS: ReadonlyMap<string, LabelKey> = new Map<string, LabelKey>([
  ['key', 'report.column.key'],
  ['label', 'report.column.label'],
  ['currency', 'column.currency'],
  ['sales_count', 'report.column.sales_count'],
  ['returns_count', 'column.returns_count'],
  ['sold_amount', 'report.column.sold_amount'],
  ['returned_amount', 'column.returned_amount'],
  ['revenue', 'report.column.revenue'],
  ['cost', 'report.column.cost'],
  ['cost_corrections', 'report.column.cost_corrections'],
  ['profit', 'report.column.profit'],
  ['margin_percent', 'report.column.margin_percent'],
  ['share_percent', 'report.column.share_percent'],
  ['abc', 'report.column.abc'],
  ['average_cheque', 'report.column.average_cheque'],
  ['discount_amount', 'report.column.discount_amount'],
  ['cash', 'payment_type.cash'],
  ['card', 'payment_type.card'],
  ['bank', 'payment_type.bank'],
  ['bonus', 'payment_type.bonus'],
  ['debt', 'payment_type.debt'],
  ['exchange', 'report.column.exchange'],
  ['deposit', 'payment_type.deposit'],
  ['quantity', 'report.column.quantity'],
  ['returned_quantity', 'report.column.returned_quantity'],
  ['held_quantity', 'report.column.held_quantity'],
  ['in_transit_quantity', 'report.column.in_transit_quantity'],
  ['costs', 'report.column.costs'],
  ['sale_values', 'report.column.sale_values'],
  ['not_due', 'report.column.not_due'],
  ['overdue_1_30', 'report.column.overdue_1_30'],
  ['overdue_31_60', 'report.column.overdue_31_60'],
  ['overdue_61_90', 'report.column.overdue_61_90'],
  ['overdue_over_90', 'report.column.overdue_over_90'],
  ['total', 'report.column.total'],
  ['oldest_due_date', 'report.column.oldest_due_date'],
  ['payment_type', 'report.column.payment_type'],
  ['opening', 'report.column.opening'],
  ['income', 'report.column.income'],
  ['outcome', 'report.column.outcome'],
  ['closing', 'report.column.closing'],
  ['count', 'report.column.count'],
  ['prepaid', 'report.column.prepaid'],
  ['free_quantity', 'report.column.free_quantity'],
  ['coming_quantity', 'report.column.coming_quantity'],
  ['min_quantity', 'report.column.min_quantity'],
  ['sold_quantity', 'report.column.sold_quantity'],
  ['days_left', 'report.column.days_left'],
  ['order_quantity', 'report.column.order_quantity'],
  ['last_cost', 'report.column.last_cost'],
  ['last_currency', 'column.currency'],
  ['last_supplier_id', 'report.column.last_supplier_id'],
  ['vat_percent', 'report.column.vat_percent'],
  ['sold_vat', 'report.column.sold_vat'],
  ['returned_vat', 'report.column.returned_vat'],
  ['amount', 'report.column.amount'],
  ['vat_amount', 'report.column.vat_amount'],
]);

/** Returns the heading of a column by its path; a sum in a currency has its field's, with the currency. */
export function headingOf([field = '', part]: readonly string[]): Label {
  const { data: currency } = Currency.safeParse(part);
  const key = HEADINGS.get(currency ? field : (part ?? field));
  if (!key) throw new Error(`A report's column ${field} has no heading`);
  return currency ? { key, with: { currency: currency.toUpperCase() } } : { key };
}
