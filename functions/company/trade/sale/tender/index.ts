import { listing } from '#lib/http/listing.ts';
import { list, SaleTender, SaleTenderList } from '#lib/trade/sale-tender/record.ts';
import { saleTenderSheet } from '#lib/trade/sale-tender/sheet.ts';

export const GET = listing({
  right: 'company.trade.sale.tender.index',
  query: SaleTenderList,
  rows: SaleTender,
  sheet: saleTenderSheet,
  run: ({ actor, query }) => list(actor, query),
});
