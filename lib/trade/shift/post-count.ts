import {
  type CollectionHead,
  collectionWrites,
  makeCollection,
  requireMainDesk,
} from '#lib/cash/collection/make.ts';
import { collections } from '#lib/cash/collection/record.ts';
import type { DeskMoney } from '#lib/cash/desk/money.ts';
import { type Moved, type Occasion, postAll, postingWrites } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import type { Home } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Problems } from '#lib/values/problems.ts';
import type { ShiftRow } from './summary.ts';

/** A desk at the end of a shift, and the item of its company's main desk. */
interface ClosingDesk {
  readonly home: Home;
  readonly money: DeskMoney;
  readonly main: Item | undefined;
}

/** The circumstances of a close: those of its postings, and whose shift it was. */
type Closing = Omit<Occasion, 'source_type'> & { readonly cashier: number };

/** What a count came to. */
interface PostedCount {
  /** With the shift still open in it, so that it has all its postings. */
  readonly money: DeskMoney;
  readonly collection_id: number | null;
  readonly writes: readonly Write[];
}

/**
 * Makes the desk have what was counted, and collects what goes to the main desk. 400 if something goes there,
 * and the company has no main desk. Decisions, 9 (47); Decisions, 9 (48).
 */
export async function postCount(
  { home, money: before, main }: ClosingDesk,
  rows: readonly ShiftRow[],
  { cashier, ...occasion }: Closing,
): Promise<PostedCount> {
  const moves = rows.flatMap((row) => differenceOf(row) ?? []);
  const items = rows
    .filter(({ transferred }) => transferred > 0)
    .map(({ payment_type, currency, transferred: amount }) => ({ payment_type, currency, amount }));
  const { company_id, cashbox_id, creator_id, impersonator_id, comment, at } = occasion;
  const own = { companyId: company_id, item: main };
  const [posting, collection, mainDeskId] = await Promise.all([
    nextId(POSTING, home, moves.length + items.length),
    nextId(collections.type, home, items.length > 0 ? 1 : 0),
    items.length > 0 ? requireMainDesk(home, company_id, own) : 0,
  ]);
  const posted = postAll(before, moves, { ...occasion, source_type: 'shift' }, posting);
  const counted = {
    money: posted.money,
    collection_id: null,
    writes: postingWrites(home, posted.postings),
  };
  if (items.length === 0) return counted;

  const ids = { collection, posting: posting + moves.length };
  const head: CollectionHead = { ids, mainDeskId, cashier, by: { creator_id, impersonator_id }, comment, at };
  const problems = new Problems();
  const desk = { id: cashbox_id, company_id, money: posted.money };
  const made = makeCollection(desk, items, head, problems);
  if (problems.areAny) throw new Error('More is collected than was counted');
  const writes = [...counted.writes, ...collectionWrites(home, made)];
  return { money: made.money, collection_id: collection, writes };
}

/** Gives the movement by which a desk comes to what was counted; undefined if it has that. */
function differenceOf({ payment_type, currency, difference }: ShiftRow): Moved | undefined {
  if (difference === 0) return undefined;
  const type = difference > 0 ? 'income' : 'outcome';
  return { type, payment_type, currency, amount: Math.abs(difference) };
}
