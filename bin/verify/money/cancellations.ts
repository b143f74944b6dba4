import { postingCancellations } from '#lib/cash/posting/cancellation.ts';
import { deskPostings, POSTING, type StoredPosting } from '#lib/cash/posting/record.ts';
import { recordKey } from '#lib/table/keys.ts';
import { nameOf, oppositeOf } from '#lib/values/money.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { faultUnless, matchesDocument } from '../frame/ledger.ts';

const BOOK = 'cancellations';

/** Checks that each canceled posting has one cancellation, with the way and time of the reversal. */
export async function checkCancellations(books: Books): Promise<void> {
  const { tenant } = books;
  const canceled = new Map<number, StoredPosting>();
  for await (const posting of everyOf(tenant, deskPostings)) {
    if (posting.status === 'canceled') canceled.set(posting.id, posting);
  }
  for await (const cancellation of everyOf(tenant, postingCancellations)) {
    const { id, posting_id } = cancellation;
    books.count(BOOK);
    const posting = canceled.get(posting_id);
    canceled.delete(posting_id);
    const isSame =
      posting !== undefined &&
      nameOf(cancellation) === nameOf(posting) &&
      matchesDocument(cancellation, {
        cashbox_id: posting.cashbox_id,
        company_id: posting.company_id,
        type: oppositeOf(posting),
        amount: posting.amount,
        created_at: posting.updated_at,
      });
    const subject = { book: BOOK, noun: 'cancellation', type: postingCancellations.type, id };
    const what = `is not how posting ${posting_id} was canceled`;
    books.reportRecord(subject, faultUnless(isSame, what), [recordKey(POSTING, tenant, posting_id)]);
  }
  for (const id of canceled.keys()) {
    const subject = { book: BOOK, noun: 'posting', type: POSTING, id };
    books.reportRecord(subject, ['is canceled, and no cancellation tells of it']);
  }
}
