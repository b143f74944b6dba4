import { setTimeout as pause } from 'node:timers/promises';
import { print } from '../../cli/main.ts';
import type { Person } from '../../cli/person.ts';
import { GOODS_RECEIPT_ROUTE } from '../../cli/trade.ts';
import { TEA, WATER } from '../goods.ts';
import { withSpaces } from '../shop.ts';
import { asPayments, dayIn, type MonthScene, sellAs } from './month.ts';

/** Mends what went wrong: a cost, a transport, a payment, a debt. */
export async function mendInMonth(director: Person, scene: MonthScene): Promise<void> {
  await sellAtNewPrice(director, scene);
  await correctCost(director, scene);
  await sendShort(director, scene);
  await paySupplier(director, scene);
  await movePaidByCard(director, scene);
  await writeOffDebt(director, scene);
}

async function sellAtNewPrice(director: Person, scene: MonthScene): Promise<void> {
  const price = () => director.call(`GET /company/product/product/${TEA}`);
  for (let tries = 0; (await price()).number('sale_price') !== 66_000; tries++) {
    if (tries === 100) throw new Error('The planned price did not come within ten seconds');
    await pause(100);
  }
  const products = [{ product_id: TEA, sold_quantity: 1 }];
  await sellAs(director, scene, { products, transactions: asPayments({ cash: 66_000 }) });
  print('\nThe third week. Tea costs 66 000 by itself, and a kilo is sold for that.');
}

async function correctCost(director: Person, { shop, supplierId }: MonthScene): Promise<void> {
  const delivered = [{ product_id: WATER, quantity: 50, cost: 25_000 }];
  const head = { stock_id: shop.stock_id, supplier_id: supplierId, currency: 'uzs' };
  const id = await director.make(GOODS_RECEIPT_ROUTE, { ...head, products: delivered });
  await director.call(`PATCH ${GOODS_RECEIPT_ROUTE}/${id}/complete`);
  const [line] = (await director.call(`GET ${GOODS_RECEIPT_ROUTE}/${id}`)).rows('products');
  const products = [{ id: line?.number('id'), cost: 2500 }];
  const path = `PATCH ${GOODS_RECEIPT_ROUTE}/${id}/correct-cost`;
  const corrected = await director.call(path, { products, comment: 'Nol ortiqcha' });
  const less = withSpaces(-corrected.number('amount'));
  print(`Fifty bottles came at 25 000 instead of 2 500: corrected, ${less} less are owed.`);
}

async function sendShort(director: Person, { shop }: MonthScene): Promise<void> {
  const to_stock_id = await director.make('/company/stock/stock', { name: 'Filial ombori' });
  const products = [{ product_id: WATER, quantity: 10 }];
  const transfer = { from_stock_id: shop.stock_id, to_stock_id, products };
  const path = '/company/trade/transfer';
  const id = await director.make(path, transfer);
  const [line] = (await director.call(`GET ${path}/${id}`)).rows('products');
  const arrived = [{ id: line?.number('id'), quantity: 8, missing: 'lost' }];
  await director.call(`PATCH ${path}/${id}/complete`, { products: arrived });
  print('Ten bottles go to the branch, eight arrive: two are written off as lost.');
}

async function paySupplier(director: Person, { shop, supplierId }: MonthScene): Promise<void> {
  const supplier = `/company/stock/supplier/${supplierId}`;
  const money = { cashbox_id: shop.cashbox_id, payment_type: 'bank', currency: 'uzs' };
  await director.make(`${supplier}/payment`, { ...money, amount: 250_000 });
  const [wrong] = (await director.call(`GET ${supplier}/operations?filter[type]=payment`)).rows();
  const comment = 'Boshqaga edi';
  await director.call(`POST ${supplier}/operations/${wrong?.number('id')}/reverse`, { comment });
  await director.make(`${supplier}/payment`, { ...money, amount: 200_000 });
  await director.make(`${supplier}/payment`, { ...money, type: 'income', amount: 50_000 });
  const bonus = { type: 'correction', currency: 'uzs', amount: -10_000, comment: 'Chegirma' };
  await director.make(`${supplier}/adjustment`, bonus);
  print(
    'The supplier is paid 250 000, which is reversed, and 200 000; pays 50 000 back, and lets 10 000 go.',
  );
}

async function movePaidByCard(director: Person, { shop }: MonthScene): Promise<void> {
  const item = { type: 'outcome', name: 'Bank xizmati' };
  const reason_id = await director.make('/company/cashbox/reason', item);
  await director.call('POST /company/cashbox/operation/tender', {
    ...{ cashbox_id: shop.cashbox_id, currency: 'uzs', from_payment_type: 'card', to_payment_type: 'bank' },
    ...{ amount: 120_000, fee: { amount: 1200, reason_id } },
  });
  print('The bank hands over the 120 000 that were paid by card, and keeps 1 200.');
}

async function writeOffDebt(director: Person, scene: MonthScene): Promise<void> {
  const [debt] = (await director.call(`GET /company/client/debt?filter[client_id]=${scene.aziza}`)).rows();
  const path = `/company/client/debt/${debt?.number('id')}`;
  await director.call(`PATCH ${path}/due-date`, { due_date: dayIn(scene, 40) });
  const all = await director.call(`PATCH ${path}/write-off`, { comment: 'Umidsiz' });
  const reverse = `POST /company/client/debt-writeoff/${all.number('id')}/reverse`;
  await director.call(reverse, { comment: 'Topildi' });
  await director.call(`PATCH ${path}/write-off`, { amount: 20_000, comment: 'Kelishildi' });
  print('Aziza gets more time. Her debt is written off, taken up again, and 20 000 of it are let go.');
}
