import { moveByReason, OperationInput } from '#lib/cash/operation/by-reason.ts';
import { list, OperationList, operationSheet } from '#lib/cash/operation/read.ts';
import { Posting } from '#lib/cash/posting/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.cashbox.operation.index',
  query: OperationList,
  rows: Posting,
  sheet: operationSheet,
  note:
    'Income, expenses, payments to suppliers, collections, conversions and moves between desks. Postings of ' +
    'sales, debt payments and shifts are in the transfers of the desk. A conversion or move has two rows; ' +
    '`source_id` of both is the id of the outgoing one.',
  run: ({ actor, query }) => list(actor, query),
});

export const POST = endpoint({
  right: 'company.cashbox.operation.store',
  idempotent: true,
  body: OperationInput,
  response: Posting,
  note: '`reason_id` must have the same `type`. A sale desk of a company with shifts needs an open shift.',
  run: ({ actor, body, at, saveResponse }) => moveByReason(actor, body, at, saveResponse),
});
