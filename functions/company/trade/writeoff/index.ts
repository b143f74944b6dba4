import { listing } from '#lib/http/listing.ts';
import { WriteOff, WriteOffList } from '#lib/trade/write-off/record.ts';
import { writeOffSheet } from '#lib/trade/write-off/sheet.ts';
import * as writeOffs from '#lib/trade/write-off/write-off.ts';

export const GET = listing({
  right: 'company.trade.writeoff.index',
  query: WriteOffList,
  rows: WriteOff,
  sheet: writeOffSheet,
  run: ({ actor, query }) => writeOffs.list(actor, query),
});
