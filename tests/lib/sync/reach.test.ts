import { expect, test } from 'vitest';
import type { SyncType } from '#lib/records/sync-type.ts';
import { SyncQuery, sync } from '#lib/sync/sync.ts';
import { appendToFeed, type FeedEntry } from '#lib/table/feed/pages.ts';
import { directorAs, newFamily } from '#tests/support/family.ts';

const [OWN, FOREIGN, THIRD, SECOND] = [11, 12, 13, 14];

/** Creates a caller with two companies and one desk, who syncs a type. */
async function newReader(type: SyncType) {
  const { directorId, companyId } = await newFamily();
  const actor = { ...directorAs(directorId, companyId), companies: [OWN, SECOND], cashDesks: [3] };
  const ask = (asked: object) => sync({ actor, query: SyncQuery.parse(asked), at: Date.now(), locale: 'ru' });
  let page = await ask({ types: [type] });
  while (page.has_more) page = await ask({ cursor: page.cursor });
  return {
    tell: (entry: FeedEntry) => appendToFeed(actor.tenant, [entry], Date.now()),
    go: async () => {
      for (let more = true; more; more = page.has_more) page = await ask({ cursor: page.cursor });
      return page;
    },
  };
}

const GONE = { status: 410, phrase: { key: 'sync.reach_changed' } };

test.each<[string, FeedEntry]>([
  ['a desk that comes to a company of theirs', ['cashbox.cashbox', 9, OWN, null, null, FOREIGN, null, null]],
  ['a desk that leaves one', ['cashbox.cashbox', 9, FOREIGN, null, null, OWN, null, null]],
  ['a warehouse that comes to one', ['stock.stock', 9, OWN, null, null, FOREIGN, null, null]],
  ['a warehouse that leaves one', ['stock.stock', 9, FOREIGN, null, null, OWN, null, null]],
  [
    'a desk that moves between companies of theirs',
    ['cashbox.cashbox', 9, SECOND, null, null, OWN, null, null],
  ],
  ['a warehouse that moves between these', ['stock.stock', 9, SECOND, null, null, OWN, null, null]],
  ['a cheque that leaves their desk', ['trade.sale', 9, OWN, 4, 1, OWN, 3, 1]],
])('%s ends the cursor, whatever types it is of: 410 sync.reach_changed', async (_, entry) => {
  const { tell, go } = await newReader('trade.sale');
  await tell(entry);
  await expect(go()).rejects.toMatchObject(GONE);
});

test.each<[string, FeedEntry]>([
  ['a new desk of a company of theirs', ['cashbox.cashbox', 9, OWN, null, null]],
  ['a new warehouse', ['stock.stock', 9, OWN, null, null]],
  ['a new branch', ['company.company', 9, null, null, null]],
  [
    'a desk that moves between other companies',
    ['cashbox.cashbox', 9, FOREIGN, null, null, THIRD, null, null],
  ],
  ['a cheque of others that moves', ['trade.sale', 9, FOREIGN, 4, 1, THIRD, 5, 1]],
])('%s does not end it', async (_, entry) => {
  const { tell, go } = await newReader('trade.sale');
  await tell(entry);
  expect(await go()).toMatchObject({ data: [], has_more: false });
});
