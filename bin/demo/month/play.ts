import { Console } from 'node:console';
import { print } from '../../cli/main.ts';
import { reconcileStock } from '../books.ts';
import { moveClock } from '../clock.ts';
import type { DemoShop } from '../shop.ts';
import { closeMonth } from './closing.ts';
import { mendInMonth } from './mending.ts';
import { comeIn, type MonthScene } from './month.ts';
import { openMonth } from './opening.ts';
import { sellInMonth } from './selling.ts';
import { reconcileDebts, reconcileDeposits, reconcilePayables, reconcileVat } from './sums.ts';

/**
 * Plays a month in a shop, with services, VAT, deposits, old debts and corrections of all that went wrong,
 * whose VAT, payables, deposits and debts add up in the end. Moves the service's clock, and resets it.
 */
export async function playMonth(shop: DemoShop): Promise<void> {
  const { admin, companyId } = shop;
  const terms = { billing_period: 'monthly', trial_ends_at: null, grace_days: 60 };
  const prices = { main: 100_000, branch: 40_000 };
  await admin.call(`PUT /admin/billing/tariff/${companyId}`, { ...terms, prices });
  print(`A month of the shop of ${shop.names.director}.`);
  const scene = await openMonth(shop);
  try {
    await playWeeks(scene);
  } finally {
    await moveClock(shop.address, null);
  }
  print("The clock shows the machine's time again.");
}

async function playWeeks(scene: MonthScene): Promise<void> {
  await sellInMonth(await comeIn(scene, 7), scene);
  await mendInMonth(await comeIn(scene, 14), scene);
  const director = await comeIn(scene, 28);
  await closeMonth(director, scene);
  const screen = new Console(process.stdout);
  print('\nThe month ends. Movements of goods add up to the stock levels,');
  screen.table(await reconcileStock(director));
  print('VAT is that of the cheques less that of the returns,');
  screen.table(await reconcileVat(director, scene));
  print('what is owed to the supplier is made of these,');
  screen.table(await reconcilePayables(director, scene));
  print('the deposits that the shop keeps of these,');
  screen.table(await reconcileDeposits(director));
  print('and what clients owe of these.');
  screen.table(await reconcileDebts(director));
}
