import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod';
import { DESK_MONEY, DeskMoney, deskMoneyKey, moneyIn } from '#lib/cash/desk-money.ts';
import { MONEY_KINDS } from '#lib/cash/money-kind.ts';
import { TRANSFER, Transfer } from '#lib/cash/transfer.ts';
import { vouched } from '#lib/records/stored.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/reads.ts';
import { walk } from '#lib/table/walk.ts';
import { type Audit, addTo, itemsAt } from './audit.ts';

type Kept = z.input<typeof Transfer>;

/** A desk as its transfers make it. */
interface Desk {
  readonly transferIds: number[];
  /** How often a transfer ends with these sums, less how often one begins with them. */
  readonly ends: Map<string, number>;
  readonly sums: Map<string, number>;
}

/**
 * Checks every desk and posts its transfers: they add up to its money, and form a chain from nothing to it.
 * The chain is not in the order of ids, but each transfer begins with what another has ended with.
 */
export async function checkDesks(audit: Audit): Promise<void> {
  const { home } = audit;
  const ids = await deskIds(audit);
  const keys = ids.map((id) => deskMoneyKey(home, id));
  const before = await getItems(keys);
  const desks = new Map(ids.map((id) => [id, newDesk()]));
  for await (const items of walk(partition(TRANSFER, home))) {
    for (const item of items) postTransfer(audit, desks, vouched(Transfer, item));
  }
  const after = await getItems(keys);
  for (const [index, id] of ids.entries()) {
    addTo(audit.counts, 'desks', 1);
    // A desk that has changed while transfers were read is not judged.
    const isSame = isDeepStrictEqual(before[index], after[index]);
    if (isSame) checkDesk(audit, id, DeskMoney.parse(after[index]), desks.get(id) ?? newDesk());
    else addTo(audit.counts, 'desks too busy to be checked', 1);
  }
}

async function deskIds({ home }: Audit): Promise<number[]> {
  const ids: number[] = [];
  for await (const items of walk(partition(DESK_MONEY.of, home)))
    ids.push(...items.map(({ id }) => Number(id)));
  return ids;
}

function postTransfer(audit: Audit, desks: Map<number, Desk>, transfer: Kept): void {
  const { id, cashbox_id, type, amount, payment_type, currency, source_type, source_id, status } = transfer;
  addTo(audit.counts, 'transfers', 1);
  const moved = { cashbox_id, type, payment_type, currency, amount };
  audit.transfers.post(String(id), { ...moved, source_type, source_id });
  const desk = desks.get(cashbox_id);
  if (!desk || status !== 'completed') return;
  const change = type === 'income' ? amount : -amount;
  const nameOf = (kind: (typeof MONEY_KINDS)[number]) => `${kind.payment_type} ${kind.currency}`;
  const end = (kind: (typeof MONEY_KINDS)[number]) =>
    Math.round(Number(transfer.additional.balances_after[kind.payment_type][kind.currency] ?? 0) * 100);
  const isMoved = (kind: (typeof MONEY_KINDS)[number]) => nameOf(kind) === nameOf(transfer);
  addTo(desk.sums, nameOf(transfer), change);
  addTo(desk.ends, sumsText(end), 1);
  addTo(
    desk.ends,
    sumsText((kind) => end(kind) - (isMoved(kind) ? change : 0)),
    -1,
  );
  desk.transferIds.push(id);
}

function checkDesk(audit: Audit, id: number, money: DeskMoney, { sums, ends, transferIds }: Desk): void {
  const report = (what: string) =>
    audit.violations.push({
      book: 'desks',
      subject: `desk ${id}`,
      what,
      history: itemsAt(
        deskMoneyKey(audit.home, id),
        ...transferIds.map((transfer) => recordKey(TRANSFER, audit.home, transfer)),
      ),
    });
  for (const kind of MONEY_KINDS) {
    const [has, came] = [moneyIn(money, kind), sums.get(`${kind.payment_type} ${kind.currency}`) ?? 0];
    if (has !== came)
      report(`has ${has} of ${kind.payment_type} ${kind.currency}, its transfers come to ${came}`);
  }
  const chain = new Map(ends);
  addTo(
    chain,
    sumsText(() => 0),
    1,
  );
  addTo(
    chain,
    sumsText((kind) => moneyIn(money, kind)),
    -1,
  );
  const broken = [...chain].filter(([, count]) => count !== 0);
  for (const [text, count] of broken) {
    report(count > 0 ? `no transfer goes on from ${text}` : `no transfer leads to ${text}`);
  }
}

function newDesk(): Desk {
  return { transferIds: [], ends: new Map(), sums: new Map() };
}

function sumsText(sumOf: (kind: (typeof MONEY_KINDS)[number]) => number): string {
  const parts = MONEY_KINDS.map((kind) => [`${kind.payment_type} ${kind.currency}`, sumOf(kind)] as const);
  const held = parts.filter(([, sum]) => sum !== 0).map(([name, sum]) => `${name} ${sum}`);
  return held.length > 0 ? held.join(', ') : 'nothing';
}
