import { print } from '../../cli/main.ts';
import type { Person } from '../../cli/person.ts';
import { SALE_ROUTE } from '../../cli/trade.ts';
import { TEA, WATER } from '../goods.ts';
import { withSpaces } from '../shop.ts';
import { asPayments, dayIn, type MonthScene, sellAs } from './month.ts';

/** Sells services, from a deposit and by a price type, and corrects how a sale was paid. */
export async function sellInMonth(director: Person, scene: MonthScene): Promise<void> {
  await sellWithDelivery(director, scene);
  await sellFromDeposit(director, scene);
  await sellHold(director, scene);
  await sellAndCorrect(director, scene);
  await payDebt(director, scene);
  await planPrice(director, scene);
}

async function sellWithDelivery(director: Person, scene: MonthScene): Promise<void> {
  const id = await sellAs(director, scene, {
    ...{ client_id: scene.aziza, products: [{ product_id: WATER, sold_quantity: 10 }] },
    ...{ services: [{ service_id: scene.serviceId }], discount: { percent: 5 } },
    transactions: asPayments({ cash: 57_000 }),
  });
  const vat = (await director.call(`GET ${SALE_ROUTE}/${id}`)).number('vat_amount');
  print(`\nAziza has ten bottles delivered, with 5 % off the whole cheque: 57 000, of which ${vat} are VAT.`);
}

async function sellFromDeposit(director: Person, scene: MonthScene): Promise<void> {
  const id = await sellAs(director, scene, {
    ...{ client_id: scene.jasur, products: [{ product_id: WATER, sold_quantity: 20 }] },
    transactions: asPayments({ deposit: 70_000 }),
  });
  const [line] = (await director.call(`GET ${SALE_ROUTE}/${id}`)).rows('products');
  const back = { id: line?.number('id'), returned_quantity: 4, reason_type: 'defective' };
  const returned = { products: [back], transactions: asPayments({ deposit: 14_000 }) };
  await director.call(`PATCH ${SALE_ROUTE}/${id}/return`, returned);
  print('Jasur takes twenty, 70 000 at his price, from the deposit, and brings four back: 14 000 go there.');
}

async function sellHold(director: Person, scene: MonthScene): Promise<void> {
  const { shop, jasur: client_id } = scene;
  const { cashbox_id, stock_id } = shop;
  const products = [{ product_id: WATER, quantity: 6 }];
  const hold = { cashbox_id, stock_id, client_id, full_name: 'Jasur', cheque: 1, products };
  const hold_id = await director.make('/company/trade/hold', hold);
  const money = { payment_type: 'cash', currency: 'uzs', amount: 21_000 };
  const income = { type: 'income', cashbox_id, ...money, hold_id };
  await director.make(`/company/client/client/${client_id}/deposit`, income);
  await sellAs(director, scene, { hold_id, client_id, transactions: asPayments({ deposit: 21_000 }) });
  print('Six more are held for him; he pays 21 000 ahead, and they are sold from that.');
}

async function sellAndCorrect(director: Person, scene: MonthScene): Promise<void> {
  const id = await sellAs(director, scene, {
    products: [{ product_id: TEA, sold_quantity: 2 }],
    transactions: asPayments({ cash: 120_000 }),
  });
  const transactions = asPayments({ card: 120_000 });
  await director.call(`PATCH ${SALE_ROUTE}/${id}/tender`, { transactions });
  print('Two kilos of tea were entered as cash, and paid by card: the cheque is corrected.');
}

async function payDebt(director: Person, { shop, aziza }: MonthScene): Promise<void> {
  const payments = asPayments({ cash: 50_000 });
  const payment = { client_id: aziza, cashbox_id: shop.cashbox_id, payments };
  const paid = await director.call('POST /company/client/debt-payment', payment);
  const left = paid.number('data.0.debt.remaining_amount');
  print(`Aziza pays 50 000 of her old debt: ${withSpaces(left)} are left.`);
}

/** Has tea cost more from the third week on. */
async function planPrice(director: Person, scene: MonthScene): Promise<void> {
  const starts_at = `${dayIn(scene, 14)} 08:00:00`;
  const products = [{ product_id: TEA, sale_price: 66_000, sale_currency: 'uzs' }];
  const batch = { company_id: scene.shop.companyId, starts_at, products };
  await director.make('/company/trade/recalculation-batch', batch);
  print(`From ${starts_at} on a kilo of tea will be 66 000, whoever is in the shop then.`);
}
