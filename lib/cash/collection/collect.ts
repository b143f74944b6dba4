import * as z from 'zod';
import { makerOf, type Staff } from '#lib/access/actor.ts';

import { mainDeskKey } from '#lib/cash/desk/main.ts';
import { deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { deskIn, deskKeys } from '#lib/cash/desk/read.ts';
import { showPosted } from '#lib/cash/posting/at-desk.ts';
import { users } from '#lib/people/user/user.ts';
import { isThere } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Id, optionalText, orNull } from '#lib/values/fields.ts';
import { eachKindOnce } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import {
  CollectedItem,
  collectionWrites,
  drawCollectionIds,
  makeCollection,
  requireMainDesk,
} from './make.ts';
import type { Collection } from './record.ts';

/** Input to collect a desk. Part 3, "Cash operations". */
export const CollectionInput = z.object({
  cashbox_id: Id,
  creator_id: orNull(Id),
  comment: optionalText(1000),
  items: eachKindOnce(z.array(CollectedItem).min(1).max(20)),
});

/**
 * Collects money of a sale desk: it leaves the desk at once, and is on hold until the main desk confirms it.
 * 422 with all failing fields; 400 while a shift is open at the desk, and if the company has no main desk.
 */
export async function collect(
  actor: Staff,
  { cashbox_id, creator_id, comment, items }: z.output<typeof CollectionInput>,
  at: Instant,
  remember: (collection: z.input<typeof Collection>) => Write[],
): Promise<z.input<typeof Collection>> {
  const { home, companyId } = actor;
  return retryOnContention(async () => {
    const problems = new Problems();
    const [ids, [deskItem, money, main, giver]] = await Promise.all([
      drawCollectionIds(home, items.length),
      getItems([
        ...deskKeys(actor, cashbox_id),
        mainDeskKey(home, companyId),
        recordKey(users.type, home, creator_id ?? actor.id),
      ]),
    ]);
    const desk = deskIn(actor, [deskItem, money]);
    if (!desk) problems.add('cashbox_id', 'validation.not_found');
    else if (desk.type === 'main') problems.add('cashbox_id', 'collection.from_main_cashbox');
    if (creator_id !== null && !isThere(giver)) problems.add('creator_id', 'validation.not_found');
    if (!desk || desk.type === 'main') throw problems.refusal;
    const people = { by: makerOf(actor), cashier: creator_id ?? actor.id };
    const mainDeskId = await requireMainDesk(home, desk.company_id, { companyId, item: main });
    const made = makeCollection(desk, items, { ids, mainDeskId, ...people, comment, at }, problems);
    problems.throwIfAny();
    if (desk.money.shift) throw refuse('collection.shift_open');

    const transactions_data = showPosted(made);
    const answer = { ...made.collection, cashbox: desk.record, transactions_data };
    const ownMoney = deskMoneyWrite(home, desk, desk.money, made.money);
    await transact([ownMoney, ...collectionWrites(home, made), ...remember(answer)]);
    return answer;
  });
}
