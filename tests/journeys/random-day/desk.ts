import { randomUUID } from 'node:crypto';
import type { Staff } from '#lib/auth/actor.ts';
import { readLines } from '#lib/records/lines.ts';
import type { Write } from '#lib/table/change/write.ts';
import { sell } from '#lib/trade/checkout/sell.ts';
import { CreditInput } from '#lib/trade/credit/agreement.ts';
import { sellOnCredit } from '#lib/trade/credit/sell.ts';
import { clear as clearDraft, DraftInput, save as saveDraft } from '#lib/trade/draft/desk.ts';
import { exchange } from '#lib/trade/exchange/exchange.ts';
import { ExchangeInput } from '#lib/trade/exchange/sides.ts';
import { addProducts, cancelHold, create as createHold, updateProducts } from '#lib/trade/hold/hold.ts';
import { HeldGoods, HoldContents, HoldInput, HoldLine, holds } from '#lib/trade/hold/record.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { SaleInput } from '#lib/trade/sale/input.ts';
import { type Sale, SaleLine, sales } from '#lib/trade/sale/record.ts';
import { hasForeign } from '#lib/trade/sale-documents/payment-lines.ts';
import { correctTender } from '#lib/trade/sale-tender/correct.ts';
import { SaleTenderInput } from '#lib/trade/sale-tender/record.ts';
import { ONE } from '#lib/values/quantity.ts';
import { inCash } from '#tests/support/foreign.ts';
import { type Day, documentsOf } from './day.ts';
import {
  type Call,
  chosen,
  clientOf,
  companyOf,
  deskOf,
  goodsOf,
  type How,
  type Makings,
  stockOf,
  totalAsked,
} from './step.ts';
import { anyMoney, moneyBack, ownMoney } from './tender.ts';

const at = () => Date.now();

/** Steps at the desks. */
export const DESK_STEPS = {
  sale: async (day, actor, how) => {
    const products = goodsOf(day, how).map(({ product_id, quantity: sold_quantity }) => {
      return { product_id, sold_quantity };
    });
    return paying(day, actor, how, { stock_id: stockOf(day, how), products });
  },
  bundleSale: async (day, actor, how) => {
    const bundles = [{ bundle_id: day.bundleId, quantity: 1 + (how.pick % 2) }];
    return paying(day, actor, how, { stock_id: stockOf(day, how), bundles });
  },
  serviceSale: async (day, actor, how) => {
    const services = [{ service_id: day.serviceId, quantity: how.pieces / 4 }];
    const products = goodsOf(day, how).map(({ product_id, quantity: sold_quantity }) => {
      return { product_id, sold_quantity };
    });
    const discount = how.pick % 3 ? undefined : { percent: how.pieces };
    const goods = { services, discount, ...(how.pick % 2 && { products }) };
    return paying(day, actor, how, { stock_id: stockOf(day, how), ...goods });
  },
  tenderCorrection: async ({ tenant }, actor, how) => {
    const sale = chosen(await documentsOf(tenant, sales), how, ({ status }) => status === 'completed');
    const money = sale?.transactions.filter(({ payment_type }) => ['cash', 'card'].includes(payment_type));
    if (!sale || !money) return undefined;
    const amount = money.reduce((sum, paid) => sum + paid.amount, 0) / 100;
    const transactions = [{ payment_type: how.pick % 3 ? 'card' : 'cash', amount }];
    const parsed = SaleTenderInput.safeParse({ transactions });
    if (!parsed.success) return undefined;
    return (saveResponse) => correctTender(actor, { ...parsed.data, id: sale.id }, at(), saveResponse);
  },
  creditSale: async (day, actor, how) => {
    const products = goodsOf(day, how).map((goods) => ({ ...goods, price: 6000 }));
    const input = CreditInput.parse({
      external_id: randomUUID(),
      agreement_number: 'K-15',
      agreement_date: '2026-10-01',
      months: 12,
      initial_payment: how.pick % 2 ? 0 : 1000,
      stock_id: stockOf(day, how),
      cashbox_id: deskOf(day, how),
      currency: 'uzs',
      client: { full_name: 'Alisher', phone: `99890${1_000_000 + (how.pick % 3)}`, pinfl: null },
      products,
    });
    // Its own id makes it once, so nothing is kept beside it.
    return () => sellOnCredit(actor, input, at());
  },
  draft: async (day, actor, how) => {
    const place = { cashbox: deskOf(day, how), number: 1 + (how.pick % 3) };
    const input = DraftInput.parse({ stock_id: stockOf(day, how), products: goodsOf(day, how) });
    // Saved again it is the same, so nothing is kept beside it.
    return () => saveDraft(actor, place, input, at());
  },
  draftEnd: async (day, actor, how) => {
    const place = { cashbox: deskOf(day, how), number: 1 + (how.pick % 3) };
    return () => clearDraft(actor, place);
  },
  soldHold: async (day, actor, how) => {
    const hold = await openHold(day, how);
    return hold && paying(day, actor, how, { stock_id: hold.stock_id, hold_id: hold.id });
  },
  hold: async (day, actor, how) => {
    const bundles = how.pick % 3 ? [] : [{ bundle_id: day.bundleId, quantity: 1 }];
    const goods = { cashbox_id: deskOf(day, how), cheque: 1, products: goodsOf(day, how), bundles };
    const client = how.pick % 2 ? clientOf(day, how) : {};
    const input = HoldInput.parse({ ...goods, ...client, stock_id: stockOf(day, how), full_name: 'Aziz' });
    return (saveResponse) => createHold(actor, input, at(), saveResponse);
  },
  holdAdd: async (day, actor, how) => {
    const hold = await openHold(day, how);
    if (!hold) return undefined;
    const goods = { cashbox_id: deskOf(day, how), cheque: 1, products: goodsOf(day, how) };
    return (saveResponse) =>
      addProducts(actor, { id: hold.id, ...HeldGoods.parse(goods) }, at(), saveResponse);
  },
  holdUpdate: async (day, actor, how) => {
    const hold = await openHold(day, how);
    if (!hold) return undefined;
    const lines = await readLines(
      HoldLine,
      { type: holds.type, tenant: day.tenant, id: hold.id },
      hold.products_count,
    );
    const products = lines
      .filter(({ bundle_key }) => bundle_key === null)
      .filter((_, index) => index === 0 || how.pick % 2)
      .map(({ product_id }, index) => ({ product_id, quantity: (how.pieces + index) / 4 }));
    const bundle_keys = how.pick % 4 ? [...new Set(lines.flatMap((line) => line.bundle_key ?? []))] : [];
    const input = HoldContents.parse({ products, bundle_keys });
    return (saveResponse) => updateProducts(actor, { id: hold.id, ...input }, at(), saveResponse);
  },
  holdCancel: async (day, actor, how) => {
    const hold = await openHold(day, how);
    return hold && ((saveResponse) => cancelHold(actor, hold.id, at(), saveResponse));
  },
  goodsBack: (day, actor, how) => givingBack(day, actor, how, () => true),
  otherMoneyBack: (day, actor, how) => givingBack(day, actor, how, hasForeign),
  exchange: async (day, actor, how) => {
    const line = await lineBack(day, how, () => true);
    if (!line) return undefined;
    const products = goodsOf(day, how).map(({ product_id, quantity: sold_quantity }) => {
      return { product_id, sold_quantity };
    });
    const give = (transactions: object[], saveResponse: () => Write[]) => {
      const place = {
        company_id: companyOf(day, how),
        cashbox_id: deskOf(day, how),
        stock_id: stockOf(day, how),
      };
      const goods = { returned_products: [line.back], products, transactions };
      const input = ExchangeInput.parse({ ...place, currency: 'uzs', ...debtorOf(day, how), ...goods });
      return exchange(actor, { id: line.sale.id, ...input }, at(), saveResponse);
    };
    const { total, isPayout } = await totalAsked((guess) => give(guess, () => []));
    const payout = total > 0 ? [inCash(total)] : [];
    // An exchange takes no other currency.
    const { paid, debt } = divide(day, how, total);
    return (saveResponse) => give(isPayout ? payout : [...ownMoney(how, paid), ...debt], saveResponse);
  },
} satisfies Makings;

async function openHold({ tenant }: Day, how: How) {
  return chosen(await documentsOf(tenant, holds), how, ({ status }) => status === 'in_progress');
}

/** Makes a sale of a body's goods, paid with what the cheque turns out to cost. */
async function paying(day: Day, actor: Staff, how: How, goods: object): Promise<Call> {
  const give = (transactions: object[], saveResponse: () => Write[]) => {
    const desk = { cashbox_id: deskOf(day, how), currency: 'uzs' };
    const body = { ...desk, ...goods, ...debtorOf(day, how), transactions };
    return sell(actor, SaleInput.parse(body), at(), { saveResponse });
  };
  const { total } = await totalAsked((guess) => give(guess, () => []));
  const { paid, debt } = divide(day, how, total);
  const payments = [...anyMoney(how, paid, debt.length === 0), ...debt];
  return (saveResponse) => give(payments, saveResponse);
}

/** Returns goods of a cheque that will do, for what it turns out to be worth. */
async function givingBack(day: Day, actor: Staff, how: How, will: (sale: Sale) => boolean) {
  const line = await lineBack(day, how, will);
  if (!line) return undefined;
  const place = how.pick % 2 ? {} : { cashbox_id: deskOf(day, how), stock_id: stockOf(day, how) };
  const give = (transactions: object[], saveResponse: () => Write[]) => {
    const products = how.pick % 3 ? [line.back] : [];
    const input = ReturnInput.parse({ ...place, products, transactions });
    return returnGoods(actor, { id: line.sale.id, ...input }, at(), saveResponse);
  };
  const { total } = await totalAsked((guess) => give(guess, () => []));
  const payouts = await moneyBack(day, how, line.sale, total);
  return (saveResponse: () => Write[]) => give(payouts, saveResponse);
}

/** Chooses the client and the date of a debt: two of three customers are known, and may owe. */
function debtorOf({ clientIds }: Day, { pick }: How): object {
  const client_id = clientIds[pick % 3];
  return client_id === undefined ? {} : { client_id, due_date: '2099-01-31' };
}

/** Divides a total into what is paid at once and what is owed: a known customer owes half. */
function divide({ clientIds }: Day, { pick }: How, total: number) {
  const owed = clientIds[pick % 3] === undefined ? 0 : Math.floor(total / 2);
  const debt = owed > 0 ? [{ payment_type: 'debt', amount: owed }] : [];
  return { paid: Math.round((total - owed) * 100) / 100, debt };
}

/** Chooses a line of a cheque of which something is left, and how much of it comes back. */
async function lineBack({ tenant }: Day, how: How, will: (sale: Sale) => boolean) {
  const able = (sale: Sale) => sale.status !== 'full_returned' && will(sale);
  const sale = chosen(await documentsOf(tenant, sales), how, able);
  if (!sale) return undefined;
  const lines = await readLines(SaleLine, { type: sales.type, tenant, id: sale.id }, sale.products_count);
  const line = chosen(lines, how, (each) => each.sold_quantity > each.returned_quantity);
  if (!line) return undefined;
  const left = (line.sold_quantity - line.returned_quantity) / ONE;
  const back = { id: line.id, reason_type: 'defective', returned_quantity: Math.min(how.pieces / 4, left) };
  return { sale, back };
}
