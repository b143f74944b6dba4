import * as clients from '#lib/clients/client.ts';
import { ClientInput } from '#lib/clients/client-input.ts';
import { clientSheet } from '#lib/clients/import.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, patch, remove, restore } = clients;

/** Rights for the terms of a client. */
const TERMS = {
  mayNeed: {
    'company.client.client.exceed-limit': 'debt_limits',
    'company.trade.sale.price-type': 'price_type_id',
  },
} as const;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.client.client',
    about:
      'Clients, identified by their main phone number. Debts and bonuses are totals maintained by sales, ' +
      "returns and payments. A client with debt can't be deleted. A credit limit applies to all sales of " +
      'the family; changing and exceeding it requires the right `exceed-limit`. Setting or changing the price ' +
      'type of a client requires the right `company.trade.sale.price-type`.',
    query: clients.List,
    sheet: clientSheet,
    embeds: clients.Embeds,
    body: ClientInput,
    patchBody: clients.ClientPatch,
    response: clients.Client,
    store: TERMS,
    update: TERMS,
  },
  { list, get, create, edit, patch, remove, restore },
);
