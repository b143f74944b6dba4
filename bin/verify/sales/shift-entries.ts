import type { DepositEntry } from '#lib/clients/deposit/record.ts';
import { amountPaidBy, sumToDeposit } from '#lib/trade/sale/payments.ts';
import { firstPaymentsOf, type StoredSale } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import type { StoredShift } from '#lib/trade/shift/record.ts';
import type { ShiftSummary } from '#lib/trade/shift/summary.ts';
import type { Entries } from '../frame/entries.ts';
import { faultUnless, NamedSums, sumsBy } from '../frame/ledger.ts';

/*
 * A shift counts sales, returns, debts and deposits, and documents don't store their shift. Their postings
 * do, which are written with them: a document with money belongs to the shift of its postings. One without
 * money (a sale wholly on debt, a return that closes one, a debt paid from a deposit) is assigned by its desk
 * and the time of its request. The order of writes to the desk's item decides: a request writes it within
 * `CALL_MS` of its time, and so do those that open and close the shift. So the document surely belongs to the
 * shift if it came that long after the opening and before the closing. It surely does not if it came that
 * long before the opening or after the closing. If it came near one of them, the shift may have counted it or
 * not.
 */
const CALL_MS = 30_000;

/** A unit counted in one write: a sale, a return, or an exchange, which is both. */
interface ShiftEntry {
  readonly cashbox_id: number;
  readonly at: number;
  /** The shift of its postings, null if none was open; undefined without postings. */
  readonly shiftId: number | null | undefined;
  /** Sales, returns, and debts and deposits by currency. */
  readonly counts: Readonly<Record<string, number>>;
}

/** All entries of a family, by sale or return; an exchange has two, both under the new sale. */
export type ShiftEntries = Map<string, ShiftEntry[]>;

/** Adds a sale at its desk. Its postings are not tied yet. */
export function addSaleEntry(shiftEntries: ShiftEntries, entries: Entries, sale: StoredSale): void {
  const { id, cashbox_id, created_at, currency } = sale;
  const given = amountPaidBy(['debt'], sale);
  const [paid] = firstPaymentsOf(sale).flatMap(({ transfer_id }) => transfer_id ?? []);
  const shiftId = shiftOf(entries, paid);
  const spent = amountPaidBy(['deposit'], sale);
  const counts = { checks_count: 1, [`${currency} given`]: given, [`${currency} spent`]: spent };
  note(shiftEntries, `sale ${id}`, { cashbox_id, at: created_at, shiftId, counts });
}

/** Adds a return at the desk that paid it, or as a part of an exchange. */
export function addReturnEntry(
  shiftEntries: ShiftEntries,
  entries: Entries,
  { sale, made }: { readonly sale: StoredSale; readonly made: SaleReturn },
): void {
  const { id, exchange_sale_id, created_at, transactions } = made;
  const name = exchange_sale_id === null ? `return ${id}` : `sale ${exchange_sale_id}`;
  const [paidOut] = transactions.flatMap(({ transfer_id }) => transfer_id ?? []);
  const shiftId = shiftOf(entries, paidOut);
  const cashbox_id = made.cashbox_id ?? sale.cashbox_id;
  const counts = { returns_count: 1, [`${sale.currency} returned`]: sumToDeposit(transactions) };
  note(shiftEntries, name, { cashbox_id, at: created_at, shiftId, counts });
}

/** Adds a debt payment from a deposit, or its refund, by its entry there: it has no posting. */
export function addRepaymentEntry(
  shiftEntries: ShiftEntries,
  { id, cashbox_id, created_at: at, currency, amount }: DepositEntry,
): void {
  if (cashbox_id === null) return;
  const names = amount < 0 ? ['repaid', 'spent'] : ['refunded', 'returned'];
  const counts = Object.fromEntries(names.map((name) => [`${currency} ${name}`, Math.abs(amount)]));
  note(shiftEntries, `deposit ${id}`, { cashbox_id, at, shiftId: undefined, counts });
}

function shiftOf({ postings }: Entries, id: number | undefined): ShiftEntry['shiftId'] {
  return id === undefined ? undefined : (postings.get(id)?.shift_id ?? null);
}

/** Assigns entries: those with postings to their shifts, those without to their desks. */
export function assignToShifts(shiftEntries: ShiftEntries) {
  const byShift = new Map<number, NamedSums>();
  const loose: ShiftEntry[] = [];
  for (const parts of shiftEntries.values()) {
    const shiftId = parts.map((part) => part.shiftId).find((id) => id !== undefined);
    if (shiftId === undefined) loose.push(...atOneDesk(parts));
    if (typeof shiftId !== 'number') continue;
    for (const { counts } of parts) addAll(sumsBy(byShift, shiftId), counts);
  }
  return { byShift, byDesk: Map.groupBy(loose, ({ cashbox_id }) => cashbox_id) };
}

/** Assigns an exchange to the desk of its new sale, wherever the old one was. */
function atOneDesk(parts: readonly ShiftEntry[]): ShiftEntry[] {
  const sale = parts.find(({ counts }) => 'checks_count' in counts);
  return parts.map((part) => ({ ...part, cashbox_id: sale?.cashbox_id ?? part.cashbox_id }));
}

/** Checks that a closed shift's counts are within their bounds. */
export function countFaults(
  { byShift, byDesk }: ReturnType<typeof assignToShifts>,
  { id, cashbox_id, opened_at, closed_at, summary }: StoredShift,
): string[] {
  if (!summary || closed_at === null) return [];
  const least = new NamedSums(byShift.get(id));
  addAll(least, sumsOfPostings(summary));
  const max = new NamedSums(least);
  for (const { at, counts } of byDesk.get(cashbox_id) ?? []) {
    if (at > opened_at + CALL_MS && at + CALL_MS < closed_at) addAll(least, counts);
    if (at + CALL_MS >= opened_at && at <= closed_at + CALL_MS) addAll(max, counts);
  }
  const { checks_count, returns_count, debts, deposits = [] } = summary;
  const says = new NamedSums(Object.entries({ checks_count, returns_count }));
  for (const { currency, ...sums } of [...debts, ...deposits]) {
    for (const [name, sum] of Object.entries(sums)) says.add(`${currency} ${name}`, sum);
  }
  return [...new Set([...says.keys(), ...max.keys()])].flatMap((name) => {
    const [stated, from, to] = [says.of(name), least.of(name), max.of(name)];
    const come = from === to ? from : `${from} to ${to}`;
    return faultUnless(
      stated >= from && stated <= to,
      `says ${stated} for ${name}, its documents come to ${come}`,
    );
  });
}

/** Names of the sums that the postings of a shift come to, by their source and direction. */
const POSTED: Readonly<Record<string, string>> = {
  'debt_payment income': 'repaid',
  'debt_payment outcome': 'refunded',
  'deposit income': 'received',
  'deposit outcome': 'paid_out',
};

/** Sums the debts and deposits that a shift moved money for, as its postings have it. */
function sumsOfPostings({ transactions }: ShiftSummary): ShiftEntry['counts'] {
  const sums = new NamedSums();
  for (const { source_type, type, currency, amount } of transactions) {
    const name = POSTED[`${source_type} ${type}`];
    if (name !== undefined) sums.add(`${currency} ${name}`, amount);
  }
  return Object.fromEntries(sums);
}

function note(shiftEntries: ShiftEntries, name: string, occasion: ShiftEntry): void {
  shiftEntries.set(name, [...(shiftEntries.get(name) ?? []), occasion]);
}

function addAll(sums: NamedSums, counts: ShiftEntry['counts']): void {
  for (const [name, count] of Object.entries(counts)) sums.add(name, count);
}
