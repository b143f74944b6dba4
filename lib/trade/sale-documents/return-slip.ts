import type { Staff } from '#lib/auth/actor.ts';
import { userKey } from '#lib/auth/identify.ts';
import { Desk, desks } from '#lib/cash/desk/desk.ts';
import { nameOfUserItem } from '#lib/people/user/colleague.ts';
import { printMoney } from '#lib/printing/numbers.ts';
import { type Paper, renderSlip, type Slip, type SlipLine } from '#lib/printing/slip.ts';
import { getDocument } from '#lib/records/documents.ts';
import { parseStored } from '#lib/records/stored.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { type Sale, sales } from '#lib/trade/sale/record.ts';
import {
  allLinesOf,
  type ReturnedLine,
  type ReturnedService,
  readReturns,
  type SaleReturn,
} from '#lib/trade/sale/returns-of.ts';
import { notFound } from '#lib/values/api-error.ts';
import { type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { Locale } from '#lib/values/text.ts';
import { renderInstant } from '#lib/values/time.ts';
import { vatTotalOf } from '#lib/values/vat.ts';
import { requisitesOf } from './invoice-parts.ts';
import { type NamedLine, readNamedLines } from './lines.ts';
import { readInvoiceParties } from './parties.ts';
import { linesOfVat } from './payment-lines.ts';
import { discountDetail, entryOf, fiscalRemarks, priceDetail } from './slip.ts';

/** A return of a sale, to print. */
interface ReturnDocument {
  readonly sale: Sale;
  readonly made: SaleReturn;
  readonly lines: ReadonlyMap<number, NamedLine>;
  readonly head: readonly string[];
  /** Names of the desk that paid out, of the cashier, and of the client. */
  readonly desk: string;
  readonly cashier: string;
  readonly client: string | null;
  /** Present deposit and debt of the client, in the currency of the sale. */
  readonly deposit: number;
  readonly owed: number;
}

/** Lays out a return as a page to print. 404 as for its sale, or if that has no such return. Part 5, 5B.8. */
export async function printReturn(
  actor: Staff,
  { model, return_id }: { readonly model: number; readonly return_id: number },
  paper: Paper,
  locale: Locale,
) {
  return renderSlip(slipOf(await readReturn(actor, model, return_id, locale), locale), paper, locale);
}

async function readReturn(actor: Staff, saleId: number, id: number, locale: Locale): Promise<ReturnDocument> {
  const { tenant } = actor;
  const [sale, returns] = await Promise.all([
    getDocument(sales, actor, saleId),
    readReturns({ type: sales.type, tenant, id: saleId }),
  ]);
  const made = returns.find((each) => each.id === id);
  if (!made) throw notFound();
  const [lines, parties, [desk, cashier]] = await Promise.all([
    readNamedLines(tenant, sale),
    readInvoiceParties(tenant, sale),
    getItems([recordKey(desks.type, tenant, made.cashbox_id), userKey(made.creator_id)]),
  ]);
  return {
    sale,
    made,
    lines: new Map(lines.map((line) => [line.id, line])),
    head: requisitesOf(parties.company, locale),
    desk: parseStored(Desk, desk).name,
    cashier: nameOfUserItem(cashier),
    client: parties.client?.full_name ?? null,
    deposit: parties.deposit,
    owed: parties.owed,
  };
}

function slipOf(document: ReturnDocument, locale: Locale): Slip {
  const { sale, made, lines, head, desk, cashier, client, deposit, owed } = document;
  const currency = sale.currency.toUpperCase();
  const word = (key: LabelKey, values = {}) => translateLabel(locale, { key, with: { currency, ...values } });
  const sum = (key: LabelKey, amount: number) => (amount > 0 ? [entryOf({ label: word(key), amount })] : []);
  const payouts = made.transactions.map(({ payment_type, currency: paid, amount }) => {
    const of = { kind: word(`payment_type.${payment_type}`), currency: paid.toUpperCase() };
    return entryOf({ label: word('slip.paid_out', of), amount });
  });
  const closed = made.origins.reduce((total, origin) => total + origin.debt_amount, made.debt_amount);
  return {
    title: word('slip.return', { id: made.id }),
    head,
    facts: [
      { label: word('slip.returned_sale'), value: sale.code },
      { label: word('slip.date'), value: renderInstant(made.created_at) },
      { label: word('slip.desk'), value: desk },
      { label: word('slip.cashier'), value: cashier },
      ...(client === null ? [] : [{ label: word('slip.client'), value: client }]),
    ],
    lines: allLinesOf(made).map((line) => slipLineOf(line, lines.get(line.id), locale)),
    totals: [
      { label: word('slip.total'), amount: made.amount },
      ...linesOfVat((made.vat ?? []).map(vatTotalOf), locale),
    ].map(entryOf),
    blocks: [
      {
        title: null,
        entries: [
          ...payouts,
          ...sum('slip.closed_debt', closed),
          ...sum('slip.exchanged', made.exchanged_amount),
        ],
      },
      { title: null, entries: [...sum('form.deposit_left', deposit), ...sum('slip.debt', owed)] },
    ],
    remarks: fiscalRemarks(made.fiscal, locale),
    qr: made.fiscal?.qr_url ?? null,
    signatures: [word('form.received')],
  };
}

function slipLineOf(
  line: ReturnedLine | ReturnedService,
  sold: NamedLine | undefined,
  locale: Locale,
): SlipLine {
  const { returned_quantity, reason_type, amount } = line;
  const reason = reason_type && translateLabel(locale, { key: `return.reason.${reason_type}` });
  const details = [
    priceDetail(sold ?? { unit: null, price: 0 }, returned_quantity, locale),
    ...(sold && sold.discount > 0
      ? discountDetail(amountOf(sold.price, returned_quantity) - amount, locale)
      : []),
    ...(reason === null ? [] : [reason]),
  ];
  return { name: sold?.name ?? '', details, amount: printMoney(amount) };
}
