import type { Staff } from '#lib/access/actor.ts';
import * as cashboxes from '#lib/cash/cashbox.ts';
import { DeskMoney } from '#lib/cash/desk-money.ts';
import { movedDeskIn, movedDeskKeys } from '#lib/cash/operation/desk.ts';
import { deskTransfers, TRANSFER } from '#lib/cash/transfer.ts';
import { getDocument } from '#lib/records/documents.ts';
import { stored } from '#lib/records/stored.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';
import { refuse } from '#lib/values/refusal.ts';
import { collections } from './record.ts';

/**
 * Reads a collection that is on hold, with its transfers and both its desks; the main desk is undefined if it
 * is not open to the caller. 404 if neither is, 400 if it is not on hold any more. Two round trips.
 */
export async function readOnHold(actor: Staff, id: number) {
  const { home } = actor;
  const collection = await getDocument(collections, actor, id);
  if (collection.status !== 'on_hold') throw refuse('collection.not_on_hold');
  const { cashbox_id, main_cashbox_id, company_id, transfer_ids } = collection;
  const [deskItem, deskMoney, mainItem, mainMoney, ...transfers] = await getItems([
    ...movedDeskKeys(actor, cashbox_id),
    ...movedDeskKeys(actor, main_cashbox_id),
    ...transfer_ids.map((transfer) => recordKey(TRANSFER, home, transfer)),
  ]);
  return {
    collection,
    // With money on hold it is neither deleted nor given to another company.
    desk: {
      id: cashbox_id,
      company_id,
      money: DeskMoney.parse(deskMoney),
      record: stored(cashboxes.Cashbox, deskItem),
    },
    main: movedDeskIn(actor, [mainItem, mainMoney]),
    transfers: transfers.map((transfer) => stored(deskTransfers.schema, transfer)),
  };
}
