import * as desks from '#lib/cash/desk/desk.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = desks;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.cashbox.cashbox',
    query: desks.List,
    embeds: desks.Embeds,
    body: desks.DeskInput,
    response: desks.Desk,
  },
  { list, get, create, edit, remove, restore },
);
