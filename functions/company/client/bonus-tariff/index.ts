import * as bonusTariffs from '#lib/clients/bonus-tariff.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';

export const GET = listing({
  right: 'company.client.bonus-tariff.index',
  query: bonusTariffs.List,
  rows: bonusTariffs.BonusTariff,
  run: ({ actor, query }) => bonusTariffs.list(actor, query),
});

export const POST = endpoint({
  right: 'company.client.bonus-tariff.store',
  body: bonusTariffs.BonusTariffInput,
  response: bonusTariffs.BonusTariff,
  run: ({ actor, body, at }) => bonusTariffs.create(actor, body, at),
});
