import { Console } from 'node:console';
import { print } from '../cli/main.ts';
import { reconcileDesk, reconcileStock } from './books.ts';
import { collectCash, payForDelivery, repayDebt, workShift } from './cash.ts';
import { openShop, raisePrice, takeStock } from './goods.ts';
import { drawDay } from './report.ts';
import { exchangeBottle, holdAndSell, repeatSale, returnGoodsOfSale, sellAtDesk } from './sales.ts';
import type { DemoShop } from './shop.ts';

/** Plays a day in a shop, whose goods and money add up in the evening. */
export async function playDay(shop: DemoShop): Promise<void> {
  const { director, cashbox_id } = shop;
  const screen = new Console(process.stdout);
  print(`The administrator founds a company; its director signs in as ${shop.names.director}.`);
  const client_id = await openShop(shop);
  const { bottles, owed } = await sellAtDesk(shop, client_id);
  for (const play of [repeatSale, holdAndSell, takeStock, raisePrice]) await play(shop);
  await returnGoodsOfSale(shop, owed);
  await exchangeBottle(shop, bottles);
  await payForDelivery(shop);
  await repayDebt(shop, client_id);
  for (const play of [collectCash, workShift]) await play(shop);
  print('\nThe day ends. Goods movements add up to the stock levels,');
  screen.table(await reconcileStock(director));
  print(
    'and payments, refunds, expenses and collections to the money in the desk and the outstanding debts.',
  );
  screen.table(await reconcileDesk(director, cashbox_id));
  await drawDay(director);
}
