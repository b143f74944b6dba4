import { type Person, signInAs } from '../../cli/person.ts';
import { SALE_ROUTE } from '../../cli/trade.ts';
import { moveClock } from '../clock.ts';
import type { DemoShop } from '../shop.ts';

/** Records that a month is played with. */
export interface MonthScene {
  readonly shop: DemoShop;
  /** First day of the month. */
  readonly start: string;
  readonly aziza: number;
  /** Client with a deposit, who buys by the price type. */
  readonly jasur: number;
  readonly supplierId: number;
  readonly serviceId: number;
  readonly priceTypeId: number;
}

const DAY_MS = 86_400_000;

/** Returns the day of a month by its number, from 0. */
export function dayIn({ start }: Pick<MonthScene, 'start'>, number: number): string {
  return new Date(Date.parse(start) + number * DAY_MS).toISOString().slice(0, 10);
}

/** Moves the clock to the morning of a day; returns the director, as tokens expire by that clock. */
export async function comeIn(scene: MonthScene, number: number): Promise<Person> {
  const { address, names, password } = scene.shop;
  await moveClock(address, `${dayIn(scene, number)}T09:00`);
  return signInAs(address, names.director, password);
}

/** Sells at the desk; returns the sale's id. */
export function sellAs(person: Person, { shop }: MonthScene, sale: object): Promise<number> {
  const { cashbox_id, stock_id } = shop;
  return person.make(SALE_ROUTE, { cashbox_id, stock_id, currency: 'uzs', ...sale });
}

/** Builds payments from amounts by payment type. */
export function asPayments(ways: Readonly<Record<string, number>>): object[] {
  return Object.entries(ways).map(([payment_type, amount]) => ({ payment_type, amount }));
}
