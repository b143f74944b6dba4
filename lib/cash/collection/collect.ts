import * as z from 'zod';
import { type Maker, makerOf, type Staff } from '#lib/auth/actor.ts';
import { mainDeskId, mainDeskKey } from '#lib/cash/desk/main.ts';
import type { MoneyDesk } from '#lib/cash/desk/money.ts';
import { atDesk, type DeskState, deskIn, deskKeys } from '#lib/cash/desk/read.ts';
import {
  type PostingContext,
  type PostingResult,
  postAtDesk,
  showPosted,
  writesAt,
} from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { users } from '#lib/people/user/user.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { isPresent } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { Id, optionalText, orNull } from '#lib/values/fields.ts';
import { amount, Currency, PaymentType, requireDistinctKinds } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type Collection, collections, type StoredCollection } from './record.ts';

const CollectedItem = z.object({ payment_type: PaymentType, currency: Currency, amount: amount(0.01) });

/** Input of a collection. Part 3, "Cash operations". */
export const CollectionInput = z.object({
  cashbox_id: Id,
  creator_id: orNull(Id),
  comment: optionalText(1000),
  items: requireDistinctKinds(z.array(CollectedItem).min(1).max(20)),
});

/**
 * Collects money from a sale desk: it leaves the desk at once, and is on hold until the main desk confirms
 * it. 422 with all failing fields; 400 while a shift is open at the desk, and if the company has no main
 * desk.
 */
export async function collect(
  actor: Staff,
  { cashbox_id, creator_id, comment, items }: z.output<typeof CollectionInput>,
  at: Instant,
  saveResponse: (collection: z.input<typeof Collection>) => Write[],
): Promise<z.input<typeof Collection>> {
  const { tenant, companyId } = actor;
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const [id, firstId, [deskItem, money, main, giver]] = await Promise.all([
      nextId(collections.type, tenant),
      nextId(POSTING, tenant, items.length),
      getItems([
        ...deskKeys(actor, cashbox_id),
        mainDeskKey(tenant, companyId),
        recordKey(users.type, tenant, creator_id ?? actor.id),
      ]),
    ]);
    const desk = deskIn(actor, [deskItem, money]);
    if (!desk) issues.add('cashbox_id', 'validation.not_found');
    else if (desk.type === 'main') issues.add('cashbox_id', 'collection.from_main_cashbox');
    if (creator_id !== null && !isPresent(giver)) issues.add('creator_id', 'validation.not_found');
    if (!desk || desk.type === 'main') throw issues.refusal;
    const main_cashbox_id = await mainDeskFor(actor, desk, main);
    const head = { id, firstId, main_cashbox_id, ...makerOf(actor), cashier: creator_id ?? actor.id };
    const made = makeCollection(desk, items, { ...head, comment, at }, issues);
    issues.throwIfAny();
    if (desk.money.shift) throw badRequest('collection.shift_open');

    const response = { ...made.collection, cashbox: desk.record, transactions_data: showPosted(made) };
    await transact([
      ...writesAt(tenant, made),
      documentInsertion(collections, tenant, made.collection),
      ...saveResponse(response),
    ]);
    return response;
  });
}

/**
 * Finds the main desk of a desk's company; `own` is the item of the caller's company, which owns most desks.
 */
async function mainDeskFor({ tenant, companyId }: Staff, { company_id }: DeskState, own: Item | undefined) {
  return requireMainDesk(company_id === companyId ? own : await getItem(mainDeskKey(tenant, company_id)));
}

/** Context of a collection, apart from the desk and the money. */
type Head = Pick<PostingContext, keyof Maker | 'comment' | 'at' | 'firstId'> & {
  readonly id: number;
  readonly main_cashbox_id: number;
  /** Employee who hands over the money; the postings name the caller. */
  readonly cashier: number;
};

/** Reads a company's main desk from the item at `mainDeskKey`. 400 if it has none. */
export function requireMainDesk(item: Item | undefined): number {
  const id = mainDeskId(item);
  if (id === undefined) throw badRequest('collection.no_main_cashbox');
  return id;
}

/**
 * Takes money off a desk, on hold until the main desk confirms it. Amounts that the desk lacks are reported
 * at `items`. The caller checks the shift and writes the collection and its postings.
 */
export function makeCollection<D extends MoneyDesk>(
  desk: D,
  items: StoredCollection['items'],
  { id, main_cashbox_id, cashier, ...occasion }: Head,
  issues: ValidationIssues,
): PostingResult<D> & { readonly collection: StoredCollection } {
  const { comment, impersonator_id, at } = occasion;
  const code = `#${id}`;
  const source = { source_type: 'collection', source_id: id, status: 'on_hold' } as const;
  const moves = items.map((item, index) => {
    return { type: 'outcome', ...item, path: `items.${index}.amount` } as const;
  });
  const source_data = { collection_id: id, code };
  const posted = postAtDesk(desk, moves, { ...occasion, ...source, source_data }, issues);
  const { postings } = posted;
  const collection: StoredCollection = {
    ...atDesk(desk),
    id,
    main_cashbox_id,
    creator_id: cashier,
    impersonator_id,
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
