import * as settings from '#lib/current-user/company-settings.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.company.settings',
  response: settings.CompanySettings,
  run: ({ actor }) => settings.get(actor),
});

export const PUT = endpoint({
  right: 'company.company.settings',
  mayNeed: {
    'company.company.close-books': 'sale_settings.books_closed_on',
    'company.company.reopen-books': 'sale_settings.books_closed_on',
  },
  body: settings.CompanySettingsInput,
  response: settings.CompanySettings,
  note:
    "Settings of the caller's company; a branch has its own. `report_settings`, `sale_settings` and " +
    '`scale_settings` belong to the main company and can be changed by its staff only. Fields left out keep ' +
    'their value. Moving `sale_settings.books_closed_on` on requires the right `company.company.close-books`, ' +
    'moving it back or to null `company.company.reopen-books`. Of a closed day no goods receipt, write-off or ' +
    'manual operation is canceled and no tender of a sale corrected: 400 `books.closed`.',
  run: ({ actor, body, at }) => settings.edit(actor, body, at),
});
