import { DeskTransferList, listTransfers } from '#lib/cash/operation/read.ts';
import { deskTransferSheet } from '#lib/cash/operation/sheet.ts';
import { Transfer } from '#lib/cash/transfer/record.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.cashbox.cashbox.transfers',
  query: DeskTransferList,
  rows: Transfer,
  sheet: deskTransferSheet,
  note: 'Those that are not `canceled` add up to what the desk has.',
  run: ({ actor, id, query }) => listTransfers(actor, id, query),
});
