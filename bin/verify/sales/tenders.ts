import { firstPaymentsOf, type StoredSale } from '#lib/trade/sale/record.ts';
import { moneyOf } from '#lib/trade/sale-tender/decide.ts';
import { type StoredSaleTender, saleTenders } from '#lib/trade/sale-tender/record.ts';
import { PaymentType, totalAmount } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { faultUnless } from '../frame/ledger.ts';

/** Corrections of payment types by sale, the oldest first. */
export type Tenders = ReadonlyMap<number, readonly StoredSaleTender[]>;

/** Checks every correction of payment types against its postings. */
export async function readTenders(books: Books): Promise<Tenders> {
  const bySale = new Map<number, StoredSaleTender[]>();
  for await (const made of everyOf(books.tenant, saleTenders)) {
    const { id, sale_id } = made;
    books.count('corrections of payment types');
    bySale.set(sale_id, [...(bySale.get(sale_id) ?? []), made]);
    const subject = { book: 'sales', noun: 'correction of payment types', type: saleTenders.type, id };
    books.reportRecord(subject, tiePostings(books, made));
  }
  return bySale;
}

/** Ties a correction to its postings: outcomes of types that lost, then incomes of those that gained. */
function tiePostings(
  books: Books,
  { sale_id, cashbox_id, currency, transfer_ids, ...made }: StoredSaleTender,
) {
  const changes = changesOf(made);
  const moved = [...changes.filter(({ sum }) => sum < 0), ...changes.filter(({ sum }) => sum > 0)];
  const source = { cashbox_id, currency, source_type: 'sale_tender', source_id: sale_id } as const;
  return [
    ...faultUnless(moved.length === transfer_ids.length, 'has not a posting for each change'),
    ...moved.flatMap(({ way, sum }, index) => {
      const type = sum < 0 ? 'outcome' : 'income';
      const expected = { ...source, type, payment_type: way, amount: Math.abs(sum) } as const;
      return books.postings.match(`${transfer_ids[index]}`, expected, `has not moved ${way} as it says`);
    }),
  ];
}

/** Returns what each payment type gained by a correction, below zero if it lost; none that stayed. */
export function changesOf({ before, after }: Pick<StoredSaleTender, 'before' | 'after'>) {
  return PaymentType.options.flatMap((way) => {
    const [had = 0, has = 0] = [before, after].map((sums) =>
      totalAmount(sums.filter(({ payment_type }) => payment_type === way)),
    );
    return has === had ? [] : [{ way, sum: has - had }];
  });
}

/**
 * Checks that the corrections of a sale form a chain from its first payments to the present ones. It is not
 * in the order of ids: of two at once the second may be made first.
 */
export function tenderFaults(tenders: Tenders, sale: StoredSale): string[] {
  const own = tenders.get(sale.id) ?? [];
  const first = moneyOf({ transactions: firstPaymentsOf(sale) });
  const ends = [first, ...own.map(({ after }) => after)].map(textOf).sort();
  const begins = [...own.map(({ before }) => before), moneyOf(sale)].map(textOf).sort();
  const isChain = begins.every((text, index) => text === ends[index]);
  return faultUnless(isChain, 'is not paid as its corrections say');
}

function textOf(sums: StoredSaleTender['before']): string {
  const texts = sums.map(({ payment_type, amount }) => `${payment_type} ${amount}`);
  return texts.sort().join(', ');
}
