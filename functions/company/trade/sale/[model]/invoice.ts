import { endpoint } from '#lib/http/endpoint.ts';
import { orFileOrPage } from '#lib/http/wire/response.ts';
import { Invoice } from '#lib/trade/sale-documents/invoice.ts';
import { giveInvoice, InvoiceQuery } from '#lib/trade/sale-documents/invoice-sheet.ts';

export const GET = endpoint({
  right: 'company.trade.sale.invoice',
  query: InvoiceQuery,
  response: orFileOrPage(Invoice),
  note:
    '`format=excel` returns a printable A4 sheet with the blocks enabled in `settings`, ' +
    '`format=html` a page to print with the same. `balance` is as of ' +
    "the sale and includes bonuses not yet available; `debt` is current: `after` is the client's debt, " +
    "`written_off` the part of this sale's debt repaid or returned since, and `before` the debt without this " +
    'sale. `previous_debt` is `debt.before` at the rates of the sale.',
  run: ({ actor, id, query, locale }) => giveInvoice(actor, id, query, locale),
});
