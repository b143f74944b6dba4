import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { LINES_NOTE } from '#lib/trade/document/response-size.ts';
import { ListedWriteOff, NewWriteOff, WriteOffInput, WriteOffList } from '#lib/trade/write-off/record.ts';
import { writeOffSheet } from '#lib/trade/write-off/sheet.ts';
import * as writeOffs from '#lib/trade/write-off/write-off.ts';

export const GET = listing({
  right: 'company.trade.writeoff.index',
  query: WriteOffList,
  rows: ListedWriteOff,
  sheet: writeOffSheet,
  note: LINES_NOTE,
  run: ({ actor, query }) => writeOffs.list(actor, query),
});

export const POST = endpoint({
  right: 'company.trade.writeoff.store',
  idempotent: true,
  body: WriteOffInput,
  response: NewWriteOff,
  note:
    'Moves no goods until confirmed. `source_product_id` is the `id` of a batch in stock levels: positive for ' +
    'a goods receipt line, negative for a batch merged from several lines of one cost.',
  run: ({ actor, body, at, saveResponse }) => writeOffs.create(actor, body, at, saveResponse),
});
