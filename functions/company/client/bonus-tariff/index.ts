import * as bonusTariffs from '#lib/clients/bonus-tariff.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = bonusTariffs;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.client.bonus-tariff',
    about: 'Loyalty rates: percentage of a paid sale credited to the client as bonuses.',
    query: bonusTariffs.List,
    embeds: bonusTariffs.Embeds,
    body: bonusTariffs.BonusTariffInput,
    response: bonusTariffs.BonusTariff,
  },
  { list, get, create, edit, remove, restore },
);
