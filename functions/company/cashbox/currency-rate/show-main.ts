import * as rates from '#lib/cash/currency-rate.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.cashbox.currency-rate.show-main',
  response: rates.RateRows,
  run: ({ actor }) => rates.mainRates(actor),
});
