import * as settings from '#lib/current-user/company-settings.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.company.settings',
  response: settings.CompanySettings,
  run: ({ actor }) => settings.get(actor),
});

export const PUT = endpoint({
  right: 'company.company.settings',
  body: settings.CompanySettingsInput,
  response: settings.CompanySettings,
  note:
    "Settings of the caller's company; a branch has its own. `report_settings`, `sale_settings` and " +
    '`scale_settings` belong to the main company and can be changed by its staff only. Fields left out keep ' +
    'their value.',
  run: ({ actor, body, at }) => settings.edit(actor, body, at),
});
