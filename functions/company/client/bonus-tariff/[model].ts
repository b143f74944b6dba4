import * as bonusTariffs from '#lib/clients/bonus-tariff.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.client.bonus-tariff.show',
  query: bonusTariffs.Embeds,
  response: bonusTariffs.BonusTariff,
  run: ({ actor, id, query }) => bonusTariffs.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.client.bonus-tariff.update',
  body: bonusTariffs.BonusTariffInput,
  response: bonusTariffs.BonusTariff,
  run: ({ actor, id, body, at }) => bonusTariffs.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.client.bonus-tariff.destroy',
  run: ({ actor, id, at }) => bonusTariffs.remove(actor, id, at),
});
