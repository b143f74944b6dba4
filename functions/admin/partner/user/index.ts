import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { NewPartnerUser } from '#lib/people/user/input.ts';
import * as partnerUsers from '#lib/people/user/partner-user.ts';
import { User } from '#lib/people/user/user.ts';

export const GET = listing({
  right: 'admin.partner.user.index',
  query: partnerUsers.PartnerUserList,
  rows: User,
  run: ({ actor, query }) => partnerUsers.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.partner.user.store',
  body: NewPartnerUser,
  response: User,
  note: 'Without `role_id` the user gets the default role `Partner` of the partner.',
  run: ({ actor, body, at }) => partnerUsers.create(actor, body, at),
});
