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
    "The settings of the caller's own company, a branch having its own. `report_settings` and `sale_settings` " +
    'are those of the main company, whose staff change them. What the body leaves out stays as it is.',
  run: ({ actor, body, at }) => settings.edit(actor, body, at),
});
