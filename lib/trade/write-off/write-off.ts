import type { Staff } from '#lib/access/actor.ts';
import { makerOf } from '#lib/access/impersonation.ts';
import {
  documentInsertion,
  documentReplacement,
  getDocumentToChange,
  listDocuments,
} from '#lib/records/documents.ts';
import { lineWrites, readLines } from '#lib/records/lines.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { getWithLines } from '#lib/trade/product-lines.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import type { WriteOffInput } from './input.ts';
import { linesToWriteOff } from './lines.ts';
import { amountsOf, type WriteOff, WriteOffLine, writeOffs } from './record.ts';

/** Lists the write-offs of warehouses open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(writeOffs, actor, query);
}

/** Reads one write-off with its lines, and with what was asked for. */
export function get(actor: Staff, id: number, wanted: readonly Embed[]) {
  return getWithLines({ type: writeOffs, line: WriteOffLine }, actor, id, wanted);
}

/** Makes a write-off that waits for confirmation and moves nothing yet. 422 as `linesToWriteOff` says. */
export async function create(
  actor: Staff,
  input: WriteOffInput,
  at: Instant,
  remember: (writeOff: WriteOff) => Write[],
): Promise<WriteOff> {
  const { home } = actor;
  const [id, { lines, place }] = await Promise.all([
    nextId(writeOffs.type, home),
    linesToWriteOff(actor, input, []),
  ]);
  const writeOff: WriteOff = {
    ...given(input),
    ...place,
    id,
    ...makerOf(actor),
    supplier_operation_id: null,
    status: 'waiting_for_confirmation',
    amounts: amountsOf([]),
    products_count: lines.length,
    completed_at: null,
    created_at: at,
    updated_at: at,
  };
  await transact([
    documentInsertion(writeOffs, home, writeOff),
    ...lineWrites(writeOffPlace(actor, id), lines),
    ...remember(writeOff),
  ]);
  return writeOff;
}

/** Rewrites a write-off that waits, by the rules of a new one; lines keep their ids. 400 for any other. */
export async function edit(actor: Staff, id: number, input: WriteOffInput, at: Instant) {
  await retryOnContention(async () => {
    const before = await getWaiting(actor, id);
    const linesBefore = await readLines(WriteOffLine, writeOffPlace(actor, id), before.products_count);
    const { lines, place } = await linesToWriteOff(actor, input, linesBefore);
    const after = { ...before, ...given(input), ...place, products_count: lines.length, updated_at: at };
    await transact([
      ...documentReplacement(writeOffs, actor.home, before, after),
      ...lineWrites(writeOffPlace(actor, id), lines, before.products_count),
    ]);
  });
  return get(actor, id, []);
}

/** Reads a write-off that waits for confirmation. 400 for any other. */
export async function getWaiting(actor: Staff, id: number) {
  const writeOff = await getDocumentToChange(writeOffs, actor, id);
  if (writeOff.status !== 'waiting_for_confirmation') throw refuse('writeoff.not_waiting');
  return writeOff;
}

/** Gives the place of a write-off of the caller's family. */
export function writeOffPlace({ home }: Staff, id: number) {
  return { type: writeOffs.type, home, id };
}

function given({ source_type, source_id, name }: WriteOffInput) {
  return { source_type, source_id, name };
}
