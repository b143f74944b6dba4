import type { Staff } from '#lib/access/actor.ts';
import { type DeskWithRecord, deskIn, deskKeys } from '#lib/cash/desk/desk.ts';
import { requireShift } from '#lib/cash/desk/shift-rule.ts';
import { deskTransfers, type StoredTransfer } from '#lib/cash/transfer/record.ts';
import { getDocumentToChange } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import { getItems } from '#lib/table/read/get.ts';
import { refuse } from '#lib/values/refusal.ts';

/** A transfer as it was read. */
export type ReadTransfer = Stored<typeof deskTransfers.schema>;

/** A manual income or expense that is to be taken back, with its desk. */
export interface ToUndo {
  readonly transfer: ReadTransfer;
  readonly desk: DeskWithRecord;
}

/** Reads a transfer to take back. 404 if its desk is not open to the caller, 412 for another version. */
export function readTransfer(actor: Staff, id: number): Promise<ReadTransfer> {
  return getDocumentToChange(deskTransfers, actor, id);
}

/**
 * Reads the desk of a manual income or expense that is to be taken back. 400 if it can't be, or without the
 * open shift that the desk needs. One round trip. Part 3, "Cash operations".
 */
export async function readToUndo(actor: Staff, transfer: ReadTransfer): Promise<ToUndo> {
  requireManual(transfer);
  const desk = await readDeskOf(actor, transfer);
  const { shift_id = null } = transfer;
  if (shift_id !== null && shift_id !== desk.money.shift?.id) throw refuse('operation.shift_closed');
  await requireShift(actor, desk);
  return { transfer, desk };
}

/** Reads the desk of a transfer. 400 if it is gone, or another company's by now. One round trip. */
async function readDeskOf(
  actor: Staff,
  { cashbox_id, company_id }: Pick<StoredTransfer, 'cashbox_id' | 'company_id'>,
): Promise<DeskWithRecord> {
  const desk = deskIn(actor, await getItems(deskKeys(actor, cashbox_id)));
  if (desk?.company_id !== company_id) throw refuse('operation.cashbox_gone');
  return desk;
}

function requireManual({ source_type, status, is_returned, reversal_of_id = null }: ReadTransfer): void {
  if (source_type !== 'reason') throw refuse('operation.not_manual');
  if (reversal_of_id !== null) throw refuse('operation.is_reversal');
  if (status === 'canceled') throw refuse('operation.already_canceled');
  if (is_returned) throw refuse('operation.already_returned');
}
