import { lineWrites, readLines } from '#lib/records/lines.ts';
import { putNew } from '#lib/table/change/write.ts';
import { familyTenant, recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { WriteOffLine } from '#lib/trade/write-off/record.ts';
import { directorAs } from './family.ts';
import { make } from './records.ts';
import { newDepot, WRITE_OFFS, writeOffOf } from './write-offs.ts';

/** Bytes of a comment in an answer: it is the longest there may be, of letters of two bytes. */
const COMMENT = 'ж'.repeat(1000);

/** Creates a write-off, and more like it with a number of lines each, all of which have a long comment. */
export async function newLongDocuments(counts: readonly number[]) {
  const depot = await newDepot(1);
  const tenant = familyTenant(depot.companyId);
  const first = await make(WRITE_OFFS, depot.token, writeOffOf(depot));
  const [head, [line]] = await Promise.all([
    getItem(recordKey('writeoff', tenant, first)),
    readLines(WriteOffLine, { type: 'writeoff', tenant, id: first }, 1),
  ]);
  if (!line) throw new Error('It has no line');
  for (const [index, count] of counts.entries()) {
    const id = first + 1 + index;
    const lines = Array.from({ length: count }, (_, each) => ({ ...line, id: each + 1, comment: COMMENT }));
    const key = recordKey('writeoff', tenant, id);
    await transact([
      putNew(key, { ...head, ...key, id, products_count: count }),
      ...lineWrites({ type: 'writeoff', tenant, id }, lines),
    ]);
  }
  return { ...depot, actor: directorAs(depot.directorId, depot.companyId), first };
}
