import { listPostings, PostingList, postingSheet } from '#lib/cash/operation/read.ts';
import { Posting } from '#lib/cash/posting/record.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.cashbox.cashbox.transfers',
  query: PostingList,
  rows: Posting,
  sheet: postingSheet,
  note: 'The operations that are not `canceled` add up to the balances of the desk.',
  run: ({ actor, id, query }) => listPostings(actor, id, query),
});
