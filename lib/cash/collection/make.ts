import * as z from 'zod';
import type { Maker } from '#lib/access/actor.ts';
import { mainDeskId, mainDeskKey } from '#lib/cash/desk/main.ts';
import { atDesk, type DeskState } from '#lib/cash/desk/read.ts';
import { type Posted, postAt } from '#lib/cash/posting/at-desk.ts';
import { postingWrites } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import type { Home } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { amount, Currency, PaymentType } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import { collections, type StoredCollection } from './record.ts';

/** A kind of money and how much of it is collected. */
export const CollectedItem = z.object({
  payment_type: PaymentType,
  currency: Currency,
  amount: amount(0.01),
});

/** What a collection is made with, beside the desk and the money. */
export interface CollectionHead {
  readonly ids: { readonly collection: number; readonly posting: number };
  readonly mainDeskId: number;
  /** The employee who hands the money over. */
  readonly cashier: number;
  /** The caller, whom the postings name. */
  readonly by: Maker;
  readonly comment: string | null;
  readonly at: Instant;
}

/** A collection with its postings, and the money that the desk has without it. */
export interface MadeCollection<D> extends Posted<D> {
  readonly collection: StoredCollection;
}

/** Draws the ids of a collection of so many kinds of money. */
export async function drawCollectionIds(home: Home, kinds: number): Promise<CollectionHead['ids']> {
  const [collection, posting] = await Promise.all([
    nextId(collections.type, home),
    nextId(POSTING, home, kinds),
  ]);
  return { collection, posting };
}

/**
 * Finds the main desk of a company. `own` is the item at `mainDeskKey` of the caller's company, which most
 * desks are of. 400 if it has none.
 */
export async function requireMainDesk(
  home: Home,
  companyId: number,
  own: { readonly companyId: number; readonly item: Item | undefined },
): Promise<number> {
  const item = companyId === own.companyId ? own.item : await getItem(mainDeskKey(home, companyId));
  const id = mainDeskId(item);
  if (id === undefined) throw refuse('collection.no_main_cashbox');
  return id;
}

/**
 * Takes money off a desk, on hold until the main desk confirms it. What the desk doesn't have goes to
 * `problems`, at `items`. Whoever calls checks the shift, and writes the desk's money: `collectionWrites` are
 * all other writes.
 */
export function makeCollection<D extends Pick<DeskState, 'id' | 'company_id' | 'money'>>(
  desk: D,
  items: StoredCollection['items'],
  { ids, mainDeskId: main_cashbox_id, by, cashier, comment, at }: CollectionHead,
  problems: Problems,
): MadeCollection<D> {
  const id = ids.collection;
  const code = `#${id}`;
  const source = { source_type: 'collection', source_id: id, status: 'on_hold' } as const;
  const source_data = { collection_id: id, code };
  const cause = { ...source, source_data, ...by, comment, at, firstId: ids.posting };
  const moves = items.map((item, index) => {
    return { type: 'outcome', ...item, path: `items.${index}.amount` } as const;
  });
  const posted = postAt(desk, moves, cause, problems);
  const { postings } = posted;
  const collection: StoredCollection = {
    ...atDesk(desk),
    id,
    main_cashbox_id,
    creator_id: cashier,
    impersonator_id: by.impersonator_id,
    status: 'on_hold',
    code,
    comment,
    cancel_comment: null,
    received_by_id: null,
    additional: postings.at(-1)?.additional ?? { balances_after: { cash: {}, card: {}, bank: {} } },
    items: [...items],
    posting_ids: postings.map((posting) => posting.id),
    received_ids: [],
    created_at: at,
    updated_at: at,
  };
  return { collection, ...posted };
}

/** Builds the writes of a collection, beside the desk's money. */
export function collectionWrites(home: Home, { collection, postings }: MadeCollection<unknown>): Write[] {
  return [documentInsertion(collections, home, collection), ...postingWrites(home, postings)];
}
