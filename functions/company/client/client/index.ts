import * as clients from '#lib/clients/client.ts';
import { ClientInput } from '#lib/clients/client-input.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, patch, remove, restore } = clients;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.client.client',
    about:
      'Clients, identified by their main phone number. Debts and bonuses are totals maintained by sales, ' +
      "returns and payments. A client with debt can't be deleted. A credit limit applies to all sales of " +
      'the family; changing and exceeding it requires the right `exceed-limit`.',
    query: clients.List,
    embeds: clients.Embeds,
    body: ClientInput,
    patchBody: clients.ClientPatch,
    response: clients.Client,
    update: {
      mayNeed: ['company.client.client.exceed-limit'],
      fieldsOfRights: { 'company.client.client.exceed-limit': 'debt_limits' },
    },
  },
  { list, get, create, edit, patch, remove, restore },
);
