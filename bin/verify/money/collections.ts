import { collections, type StoredCollection } from '#lib/cash/collection/record.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { recordKey } from '#lib/table/keys.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import type { MoneyEntry } from '../frame/entries.ts';
import { agrees } from '../frame/ledger.ts';
import type { DeskBook } from './desks.ts';

/** Checks every collection, and ties it to its postings, which must be in its state. */
export async function checkCollections(books: Books, { postings }: DeskBook): Promise<void> {
  for await (const collection of everyOf(books.home, collections)) {
    const { id, cashbox_id, main_cashbox_id, status, posting_ids, received_ids } = collection;
    books.count('collections');
    const keys = [...posting_ids, ...received_ids].map((each) => recordKey(POSTING, books.home, each));
    const subject = { book: 'operations', subject: `collection ${id}` };
    books.report({ ...subject, keys: [recordKey(collections.type, books.home, id), ...keys] }, [
      ...tieSide(postings, collection, posting_ids, { type: 'outcome', cashbox_id, status }),
      ...(status === 'completed'
        ? tieSide(postings, collection, received_ids, {
            ...{ type: 'income', cashbox_id: main_cashbox_id, status },
          })
        : []),
    ]);
  }
}

function tieSide(
  postings: DeskBook['postings'],
  { id, items }: StoredCollection,
  ids: readonly number[],
  side: Pick<MoneyEntry, 'type' | 'cashbox_id' | 'status'>,
): string[] {
  const found = ids.map((posting) => postings.tie(posting));
  const isSame =
    ids.length === items.length &&
    items.every(({ payment_type, currency, amount }, index) => {
      const source = { source_type: 'collection', source_id: id } as const;
      return agrees(found[index], { ...side, ...source, payment_type, currency, amount });
    });
  return isSame ? [] : [`its ${side.type} is not what its postings say: ${JSON.stringify(found)}`];
}
