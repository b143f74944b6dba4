import { CollectionInput, collect } from '#lib/cash/collection/collect.ts';
import { Collection, CollectionList, list } from '#lib/cash/collection/record.ts';
import { collectionSheet } from '#lib/cash/collection/sheet.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.cashbox.operation.collection.index',
  query: CollectionList,
  rows: Collection,
  sheet: collectionSheet,
  note: 'Collections from accessible desks, and to the main desk if it is accessible.',
  run: ({ actor, query }) => list(actor, query),
});

export const POST = endpoint({
  right: 'company.cashbox.operation.collection',
  idempotent: true,
  body: CollectionInput,
  response: Collection,
  note:
    'The money leaves the desk at once and stays on hold until the main desk of the company confirms it. ' +
    '`creator_id` is the user who hands it over; the operations are recorded under the caller. 400 while a ' +
    'shift is open at the desk.',
  run: ({ actor, body, at, saveResponse }) => collect(actor, body, at, saveResponse),
});
