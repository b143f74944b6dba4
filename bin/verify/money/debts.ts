import { isDeepStrictEqual } from 'node:util';
import { OpenDebt, openDebtKey, openDebtOf, openDebtsOf } from '#lib/clients/debt/open.ts';
import { debts, remainderOf, type StoredDebt } from '#lib/clients/debt/record.ts';
import { recordKey } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { addTo, type Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import type { DebtEntry } from '../frame/entries.ts';
import { Ledger } from '../frame/ledger.ts';

/** What debts say. */
export interface DebtBook {
  /** To be tied to their sales. */
  readonly debts: Ledger<DebtEntry>;
  /** What is left of them, by client and currency. */
  readonly left: ReadonlyMap<string, number>;
  /** What each says is repaid. */
  readonly repaid: ReadonlyMap<string, number>;
}

/** Posts every debt, and checks that a client's open debts are those of which something is left. */
export async function readDebts(books: Books): Promise<DebtBook> {
  const ledger = new Ledger<DebtEntry>();
  const [left, repaid] = [new Map<string, number>(), new Map<string, number>()];
  const byPlace = new Map<string, StoredDebt[]>();
  for await (const debt of everyOf(books.home, debts)) {
    const { id, client_id, sale_id, currency, amount, repaid_amount, returned_amount } = debt;
    books.count('debts');
    ledger.post(id, { client_id, sale_id, currency, amount, repaid_amount, returned_amount });
    addTo(left, `${client_id} ${currency}`, remainderOf(debt));
    addTo(repaid, id, repaid_amount);
    const place = openDebtsOf(books.home, client_id, currency);
    const theirs = byPlace.get(place);
    if (theirs) theirs.push(debt);
    else byPlace.set(place, [debt]);
  }
  for (const [place, theirs] of byPlace) await checkOpenDebts(books, place, theirs);
  return { debts: ledger, left, repaid };
}

async function checkOpenDebts(books: Books, place: string, theirs: readonly StoredDebt[]): Promise<void> {
  const items = await wholePartition(place);
  const open = new Map(items.map((item) => [String(item['sk']), OpenDebt.parse(item)]));
  for (const debt of theirs.filter((each) => remainderOf(each) > 0)) {
    const key = openDebtKey(books.home, debt);
    const keys = [key, recordKey(debts.type, books.home, debt.id)];
    books.report({ book: 'debts', subject: place, keys }, openDebtFaults(debt, open.get(key.sk)));
    open.delete(key.sk);
  }
  for (const sk of open.keys()) {
    const subject = { book: 'debts', subject: place, keys: [{ pk: place, sk }] };
    books.report(subject, [`has an open debt that is ${sk}, of no debt that is left`]);
  }
}

function openDebtFaults(debt: StoredDebt, open: OpenDebt | undefined): string[] {
  if (!open) return [`has no open debt of debt ${debt.id}`];
  if (isDeepStrictEqual(open, openDebtOf(debt))) return [];
  return [`has an open debt that is not that of debt ${debt.id}`];
}
