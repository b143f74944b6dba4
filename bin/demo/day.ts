import { Console } from 'node:console';
import { balanceDesk, balanceShelves } from './books.ts';
import { collectCash, payForDelivery, repayDebt, workShift } from './cash.ts';
import { countGoods, openShop, raisePrice } from './goods.ts';
import { exchangeBottle, repeatCheque, sellAtTheTill, setAside, takeBack } from './sales.ts';
import type { DemoShop } from './shop.ts';

/** Plays a day in a shop, whose goods and money add up in the evening. */
export async function playDay(shop: DemoShop): Promise<void> {
  const { director, cashbox_id, say } = shop;
  const screen = new Console(process.stdout);
  say(`The administrator founds a company; its director signs in as ${shop.names.director}.`);
  const client_id = await openShop(shop);
  const { bottles, owed } = await sellAtTheTill(shop, client_id);
  await repeatCheque(shop);
  await setAside(shop);
  await countGoods(shop);
  await raisePrice(shop);
  await takeBack(shop, owed);
  await exchangeBottle(shop, bottles);
  await payForDelivery(shop);
  await repayDebt(shop, client_id);
  await collectCash(shop);
  await workShift(shop);
  say('\nThe day ends. What came and went adds up to what is on the shelves,');
  screen.table(await balanceShelves(director));
  say('and what was paid, given back, spent and collected to what is in the desk and still owed.');
  screen.table(await balanceDesk(director, cashbox_id));
}
