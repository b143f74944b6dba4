import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { documentRef, newDocumentWrites, readAllLines } from '#lib/trade/document/lines.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { decideLines } from './decide-lines.ts';
import type { WriteOffInput } from './input.ts';
import { readLineFacts } from './read-lines.ts';
import { amountsOf, type WriteOff, writeOffs } from './record.ts';

/** Operations on write-offs: list those of warehouses open to the caller, get one with its lines. */
export const { list, get } = documentsWithLines(writeOffs);

/** Creates a write-off pending confirmation, which moves nothing. 422 as in `decideLines`. */
export async function create(
  actor: Staff,
  input: WriteOffInput,
  at: Instant,
  saveResponse: (writeOff: WriteOff) => Write[],
): Promise<WriteOff> {
  const { tenant } = actor;
  const [id, facts] = await Promise.all([nextId(writeOffs.type, tenant), readLineFacts(actor, input, [])]);
  const { lines, head } = decideLines(input, facts);
  const writeOff: WriteOff = {
    ...head,
    ...makerOf(actor),
    ...timesOf(at),
    id,
    supplier_operation_id: null,
    status: 'waiting_for_confirmation',
    amounts: amountsOf([]),
  };
  const { header, packs } = newDocumentWrites(writeOffs, tenant, writeOff, lines);
  await transact([header, ...packs, ...saveResponse(writeOff)]);
  return writeOff;
}

/** Replaces a pending write-off, validated like a new one; lines keep their ids. 400 if it is not pending. */
export async function edit(actor: Staff, id: number, input: WriteOffInput, at: Instant) {
  await retryOnContention(async () => {
    const before = await getWaiting(actor, id);
    const linesBefore = await readAllLines(writeOffs, actor.tenant, before);
    const { lines, head } = decideLines(input, await readLineFacts(actor, input, linesBefore));
    const after = { ...before, ...head, updated_at: at };
    await transact([
      ...documentReplacement(writeOffs, actor.tenant, before, after),
      ...lineWrites(documentRef(writeOffs, actor.tenant, id), lines, before.products_count),
    ]);
  });
  return get(actor, id, []);
}

/** Reads a write-off pending confirmation. 400 if it is not pending. */
export async function getWaiting(actor: Staff, id: number) {
  const writeOff = await getDocumentToChange(writeOffs, actor, id);
  if (writeOff.status !== 'waiting_for_confirmation') throw badRequest('writeoff.not_waiting');
  return writeOff;
}
