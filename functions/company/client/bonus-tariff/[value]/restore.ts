import * as bonusTariffs from '#lib/clients/bonus-tariff.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const DELETE = endpoint({
  right: 'company.client.bonus-tariff.restore',
  run: ({ actor, id, at }) => bonusTariffs.restore(actor, id, at),
});
