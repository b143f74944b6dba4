import * as bonusTariffs from '#lib/clients/bonus-tariff.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';

export const DELETE = endpoint({
  right: 'company.client.bonus-tariff.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => bonusTariffs.restore(actor, id, at),
});
