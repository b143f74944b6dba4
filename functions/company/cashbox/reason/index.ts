import * as reasons from '#lib/cash/reason.ts';
import { sixEndpoints } from '#lib/http/six-endpoints.ts';

const { list, get, create, edit, remove, restore } = reasons;

export const { GET, POST, record, restored } = sixEndpoints(
  {
    right: 'company.cashbox.reason',
    about: "Categories of income and expense, in a tree. A reason with children can't be deleted.",
    query: reasons.List,
    embeds: reasons.Embeds,
    body: reasons.ReasonInput,
    response: reasons.Reason,
  },
  { list, get, create, edit, remove, restore },
);
