import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import * as cashboxes from '#lib/cash/cashbox.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk-money.ts';
import { hasShifts } from '#lib/cash/shift-rule.ts';
import { companyEmbed } from '#lib/people/company/company.ts';
import type { Embed } from '#lib/records/embeds.ts';
import { type Expression, equals } from '#lib/table/expression.ts';
import { getItems } from '#lib/table/reads.ts';

const Named = z.object({ id: z.int(), name: z.string() });

/** The caller's sale desks, to choose from. Part 3, "Cash operations". */
export const SaleDesks = z.object({
  data: z.array(Named.extend({ company: Named, is_open: z.boolean() })),
  is_shift_enabled: z.boolean(),
});

/** More than anybody has: a caller's desks are read at once. */
const MOST_DESKS = Number.MAX_SAFE_INTEGER;

/** Lists the sale desks open to the caller, and whether a shift is open at each. */
export async function saleDesks(actor: Staff) {
  const [desks, is_shift_enabled] = await Promise.all([
    readSaleDesks(actor, [], [companyEmbed]),
    hasShifts(actor, actor.companyId),
  ]);
  const data = desks.map(({ id, name, company, money }) => {
    return { id, name, company: Named.parse(company), is_open: money.shift !== null };
  });
  return { data, is_shift_enabled };
}

/** Reads the sale desks open to the caller that fit, in the order of their ids. Two round trips. */
export async function readSaleDesks(
  actor: Staff,
  where: readonly Expression[],
  embeds: readonly Embed[] = [],
) {
  const page = { page: 1, pageSize: MOST_DESKS, sort: { field: 'id', descending: false } };
  const open = [equals('type', 'sale'), equals('is_deleted', false), ...where];
  const { rows } = await cashboxes.listBare(actor, { ...page, where: open, embeds });
  const sums = await getItems(rows.map(({ id }) => deskMoneyKey(actor.home, id)));
  return rows.map((desk, index) => ({ ...desk, money: DeskMoney.parse(sums[index]) }));
}
