import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Scene, scenesOf } from '#bench/support/scene.ts';
import { PRICE, saleBodyOf } from '#bench/support/shop.ts';
import { writeItems } from '#bench/support/write-items.ts';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { DeskMoney, deskMoneyKey, deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { addToShift } from '#lib/cash/desk/movement.ts';
import { postOrRefuse } from '#lib/cash/posting/make.ts';
import { POSTING, type StoredPosting } from '#lib/cash/posting/record.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';

const SHIFTS = '/company/trade/cashbox-shift';
const SELDOM = { warm: 2, times: 7 };

const CASH = { payment_type: 'cash', currency: 'uzs' } as const;

/** A closing that posts a shortage in one currency, and collects the rest. */
const ENDING = { closing_action: 'transfer_all', closing_comment: 'Bench' };

/**
 * Returns scenes that open a shift, sell in it after a number of sales, and close it with a shortage and a
 * collection. The earlier sales are loaded postings, with the sums that real sales would have written.
 */
export async function shiftScenes({ client, actor, shop }: MeasuredShop, cheques: number): Promise<Scene[]> {
  const settings = { cashbox_shift_settings: { is_enabled: true } };
  await client.call('PUT /company/company/settings', settings);
  const [cashbox_id = 0] = shop.desks;
  const opening = { cashbox_id, stock_id: shop.stock, opening_balances: [{ ...CASH, amount: 1000 }] };
  const sale = saleBodyOf(shop, cashbox_id, shop.products);
  const closingOf = (sold: number) => {
    return { ...ENDING, actuals: [{ ...CASH, amount: 1000 + sold * PRICE - 1 }] };
  };
  const end = async () => {
    const { shift } = await moneyOf(actor, cashbox_id);
    if (shift) await client.call(`PATCH ${SHIFTS}/${shift.id}/close`, closingOf(shift.checks_count ?? 0));
  };
  const open = async () => {
    await end();
    const id = await client.make(SHIFTS, opening);
    await loadSales(actor, cashbox_id, cheques);
    return id;
  };
  return scenesOf(SELDOM, {
    [`open a shift after one of ${cheques} cheques`]: async () => {
      await open();
      await end();
      return { request: `POST ${SHIFTS}`, json: opening };
    },
    [`a sale of one line after ${cheques} cheques`]: async () => {
      await open();
      return { request: 'POST /company/trade/sale', json: sale };
    },
    [`close a shift of ${cheques} cheques`]: async () => ({
      request: `PATCH ${SHIFTS}/${await open()}/close`,
      json: closingOf(cheques),
    }),
  });
}

/** Loads the postings of a number of sales into the open shift of a desk. */
async function loadSales(actor: Staff, cashbox_id: number, cheques: number): Promise<void> {
  const { tenant, companyId: company_id } = actor;
  const before = await moneyOf(actor, cashbox_id);
  const firstId = await nextId(POSTING, tenant, cheques);
  const sale = { source_type: 'sale', comment: null } as const;
  const desk = { id: cashbox_id, company_id, money: before };
  let money = before;
  const postings: StoredPosting[] = [];
  for (let index = 0; index < cheques; index++) {
    const occasion = { ...makerOf(actor), ...sale, source_id: index + 1, at: Date.now() };
    const paid = { type: 'income', ...CASH, amount: PRICE * 100 } as const;
    const made = postOrRefuse({ ...desk, money }, [paid], { ...occasion, firstId: firstId + index });
    money = addToShift(made.money, { checks: 1 });
    postings.push(...made.postings);
  }
  await writeItems(postings.map((each) => ({ ...recordKey(POSTING, tenant, each.id), ...each, version: 1 })));
  await transact([deskMoneyWrite(tenant, desk, money)]);
}

async function moneyOf({ tenant }: Staff, cashbox_id: number): Promise<DeskMoney> {
  return DeskMoney.parse(await getItem(deskMoneyKey(tenant, cashbox_id)));
}
