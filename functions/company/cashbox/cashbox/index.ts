import * as desks from '#lib/cash/desk/desk.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = desks;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.cashbox.cashbox',
    about:
      'Cash desks of type `main` or `sale`; a company has one main desk. A desk holds money by payment type ' +
      "and currency, never below zero. A desk with money can't be deleted or moved to another company.",
    query: desks.List,
    embeds: desks.Embeds,
    body: desks.DeskInput,
    response: desks.Desk,
  },
  { list, get, create, edit, remove, restore },
);
