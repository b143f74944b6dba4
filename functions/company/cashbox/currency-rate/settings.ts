import * as rates from '#lib/cash/currency-rate.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.cashbox.currency-rate.settings',
  // The cash desk applies the sale currency.
  orRight: 'company.trade.sale.store',
  response: rates.RateSettings,
  run: ({ actor }) => rates.settings(actor),
});

export const PATCH = endpoint({
  right: 'company.cashbox.currency-rate.settings',
  strict: true,
  accepts: 'multipart',
  body: rates.SaleCurrencyInput,
  run: ({ actor, body, at }) => rates.changeSaleCurrency(actor, body, at),
});
