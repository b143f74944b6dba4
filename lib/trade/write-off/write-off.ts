import type { Staff } from '#lib/access/actor.ts';
import { getDocument, listDocuments } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/embeds.ts';
import type { ListQuery } from '#lib/records/list-query.ts';
import { retryOnContention } from '#lib/table/transaction/transact.ts';
import { readShownLines } from '#lib/trade/product-lines.ts';
import { WriteOffLine, writeOffs } from './record.ts';

/** Lists the write-offs of warehouses open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(writeOffs, actor, query);
}

/** Reads one write-off with its lines, and with what was asked for. */
export function get(actor: Staff, id: number, wanted: readonly Embed[]) {
  const place = { type: writeOffs.type, home: actor.home, id };
  return retryOnContention(async () => {
    const writeOff = await getDocument(writeOffs, actor, id, wanted);
    return { ...writeOff, products: await readShownLines(WriteOffLine, place, writeOff.products_count) };
  });
}
