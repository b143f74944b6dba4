import type { Staff } from '#lib/access/actor.ts';
import { type DeskWithRecord, deskIn, deskKeys } from '#lib/cash/desk/read.ts';
import { requireShift } from '#lib/cash/desk/shift-rule.ts';
import { deskPostings, type StoredPosting } from '#lib/cash/posting/record.ts';
import { getDocumentToChange } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import { getItems } from '#lib/table/read/get.ts';
import { refuse } from '#lib/values/refusal.ts';

/** A posting as it was read. */
export type ReadPosting = Stored<typeof deskPostings.schema>;

/** A manual income or expense that is to be taken back, with its desk. */
export interface ToUndo {
  readonly posting: ReadPosting;
  readonly desk: DeskWithRecord;
}

/** Reads a posting to take back. 404 if its desk is not open to the caller, 412 for another version. */
export function readPosting(actor: Staff, id: number): Promise<ReadPosting> {
  return getDocumentToChange(deskPostings, actor, id);
}

/**
 * Reads the desk of a manual income or expense that is to be taken back. 400 if it can't be, or without the
 * open shift that the desk needs. One round trip. Part 3, "Cash operations".
 */
export async function readToUndo(actor: Staff, posting: ReadPosting): Promise<ToUndo> {
  requireManual(posting);
  const desk = await readDeskOf(actor, posting);
  const { shift_id = null } = posting;
  if (shift_id !== null && shift_id !== desk.money.shift?.id) throw refuse('operation.shift_closed');
  await requireShift(actor, desk);
  return { posting, desk };
}

/** Reads the desk of a posting. 400 if it is gone, or another company's by now. One round trip. */
async function readDeskOf(
  actor: Staff,
  { cashbox_id, company_id }: Pick<StoredPosting, 'cashbox_id' | 'company_id'>,
): Promise<DeskWithRecord> {
  const desk = deskIn(actor, await getItems(deskKeys(actor, cashbox_id)));
  if (desk?.company_id !== company_id) throw refuse('operation.cashbox_gone');
  return desk;
}

function requireManual({ source_type, status, is_returned, reversal_of_id = null }: ReadPosting): void {
  if (source_type !== 'reason') throw refuse('operation.not_manual');
  if (reversal_of_id !== null) throw refuse('operation.is_reversal');
  if (status === 'canceled') throw refuse('operation.already_canceled');
  if (is_returned) throw refuse('operation.already_returned');
}
