import * as z from 'zod';
import type { Reply } from '#bin/cli/person.ts';
import { reasons } from '#lib/cash/reason.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { familyTenant } from '#lib/table/keys.ts';
import type { Direction } from '#lib/values/money.ts';
import { mainDeskIn } from './family.ts';
import { call } from './http.ts';
import { makeFamily, sequenceWrites, stampOf } from './provisioning.ts';
import { type Shop, shopOutfit } from './shop.ts';

export const OPERATIONS = '/company/cashbox/operation';
export const COLLECTIONS = `${OPERATIONS}/collection`;

/** A shop with an item of income and one of expense. */
export interface Till extends Shop {
  readonly token: string;
  readonly income: number;
  readonly outcome: number;
  /** The main desk of the company. */
  readonly mainId: number;
}

/** Creates a shop whose sale desk has a number of sums in cash, which came by an income. */
export async function newTill(cash = 0, at = Date.now()): Promise<Till> {
  const shop = await makeFamily(at, async (founders) => {
    const { made, writes } = await shopOutfit(founders, at);
    const tenant = familyTenant(founders.companyId);
    const ids = { income: 1, outcome: 2 };
    const itemOf = (id: number) => ({ ...stampOf(founders, id, at), parent_id: null });
    const more = [
      insertion(reasons, tenant, { ...itemOf(ids.income), type: 'income', name: 'Взнос' }),
      insertion(reasons, tenant, { ...itemOf(ids.outcome), type: 'outcome', name: 'Аренда' }),
      sequenceWrites(tenant, [reasons.type], 2),
    ].flat();
    return { made: { ...made, ...ids }, writes: [...writes, ...more] };
  });
  const till = { ...shop, token: shop.director, mainId: await mainDeskIn(shop) };
  if (cash > 0) await operate(till, 'income', cash);
  return till;
}

/** Brings money into the till's sale desk, or takes some out. */
export function operate(
  till: Till,
  type: Direction,
  amount: number,
  given: Readonly<Record<string, unknown>> = {},
): Promise<Reply> {
  const money = { cashbox_id: till.cashboxId, type, payment_type: 'cash', currency: 'uzs', amount };
  const json = { ...money, reason_id: till[type], ...given };
  return call(`POST ${OPERATIONS}`, { token: till.token, json });
}

/** Collects cash in sums from the till's sale desk. */
export function collectFromTill(
  { token, cashboxId }: Till,
  amount: number,
  given: object = {},
): Promise<Reply> {
  const items = [{ payment_type: 'cash', currency: 'uzs', amount }];
  return call(`POST ${COLLECTIONS}`, { token, json: { cashbox_id: cashboxId, items, ...given } });
}

/** Confirms a collection. */
export function confirmOf({ token }: Till, id: number): Promise<Reply> {
  return call(`PATCH ${COLLECTIONS}/${id}/confirm`, { token });
}

/** Returns a posting. */
export function reverseOf({ token }: Till, id: number): Promise<Reply> {
  return call(`PATCH ${OPERATIONS}/${id}/return`, { token });
}

/** Cancels a posting. */
export function cancelOf({ token }: Till, id: number, cancel_comment = 'Ошибка'): Promise<Reply> {
  return call(`PATCH ${OPERATIONS}/${id}/cancel`, { token, json: { cancel_comment } });
}

const Made = z.object({ id: z.int() });

/** Reads the id off an answer. */
export function newIdOf({ body }: Reply): number {
  return Made.parse(body).id;
}

const Answer = z.object({ data: z.array(Made) });

/** Returns the ids of both sides of a conversion or a move. */
export function newIdsOf({ body }: Reply): number[] {
  return Answer.parse(body).data.map(({ id }) => id);
}

const Sums = z.record(z.string(), z.number());
const Desk = z.object({ balances: z.object({ cash: Sums, card: Sums, bank: Sums }) });

/** Reads a desk's balance of one payment type and currency, in whole units. */
export async function tillMoneyOf({ token }: Till, id: number, type = 'cash', currency = 'uzs') {
  const { body } = await call(`GET /company/cashbox/cashbox/${id}`, { token });
  const { balances } = Desk.parse(body);
  return new Map(Object.entries(balances)).get(type)?.[currency];
}

const Postings = z.object({ data: z.array(z.looseObject({ id: z.int(), status: z.string() })) });

/** Lists the postings of a desk, the oldest first. */
export async function postingsAt({ token }: Till, id: number) {
  const { body } = await call(`GET /company/cashbox/cashbox/${id}/transfers?sort[]=id`, { token });
  return Postings.parse(body).data;
}
