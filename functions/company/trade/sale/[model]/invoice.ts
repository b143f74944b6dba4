import { endpoint } from '#lib/http/endpoint.ts';
import { orFile } from '#lib/http/wire/response.ts';
import { Invoice } from '#lib/trade/sale-documents/invoice.ts';
import { giveInvoice, InvoiceQuery } from '#lib/trade/sale-documents/invoice-sheet.ts';

export const GET = endpoint({
  right: 'company.trade.sale.invoice',
  query: InvoiceQuery,
  response: orFile(Invoice),
  note:
    '`format=excel` gives it as a sheet of A4 that tells what `settings` let it. `balance` is as of the ' +
    'moment of the sale, `debt` of now: `after` is what the client owes, `written_off` what was repaid or returned of ' +
    'the debt of this cheque since, and `before` what would be owed without it. `previous_debt` is `debt.before` at ' +
    'the rates of the sale. Bonuses are what may be spent and what waits, together.',
  run: ({ actor, id, query, locale }) => giveInvoice(actor, id, query, locale),
});
