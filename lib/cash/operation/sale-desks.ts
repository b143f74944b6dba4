import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { hasShifts } from '#lib/cash/desk/shift-rule.ts';
import { keyOfCompany } from '#lib/people/company/record.ts';
import { wholeList } from '#lib/records/query/list-query.ts';
import { type Expression, equals } from '#lib/table/expression.ts';
import { getItems } from '#lib/table/read/get.ts';

const Named = z.object({ id: z.int(), name: z.string() });

/** The caller's sale desks, to choose from. Part 3, "Cash operations". */
export const SaleDesks = z.object({
  data: z.array(Named.extend({ company: Named, is_open: z.boolean() })),
  is_shift_enabled: z.boolean(),
});

/** Lists the sale desks open to the caller, and whether a shift is open at each. */
export async function saleDesks(actor: Staff) {
  const [desks, is_shift_enabled] = await Promise.all([
    listSaleDesks(actor),
    hasShifts(actor, actor.companyId),
  ]);
  const [sums, companies] = await Promise.all([
    readMoneyOf(actor, desks),
    getItems(desks.map(({ company_id }) => keyOfCompany(company_id))),
  ]);
  const data = desks.map(({ id, name }, index) => {
    return { id, name, company: Named.parse(companies[index]), is_open: Boolean(sums[index]?.shift) };
  });
  return { data, is_shift_enabled };
}

/** Lists the sale desks open to the caller that fit, in the order of their ids. */
export async function listSaleDesks(actor: Staff, where: readonly Expression[] = []) {
  const whole = wholeList([equals('type', 'sale'), equals('is_deleted', false), ...where]);
  return (await desks.listBare(actor, whole)).rows;
}

/** Reads the money of desks. One round trip. */
export async function readMoneyOf(
  { home }: Staff,
  desks: readonly { readonly id: number }[],
): Promise<DeskMoney[]> {
  const items = await getItems(desks.map(({ id }) => deskMoneyKey(home, id)));
  return items.map((item) => DeskMoney.parse(item));
}
