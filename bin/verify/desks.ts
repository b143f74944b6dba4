import { isDeepStrictEqual } from 'node:util';
import { DESK_MONEY, DeskMoney, deskMoneyKey, moneyIn } from '#lib/cash/desk/money.ts';
import { deskPostings, POSTING, type StoredPosting } from '#lib/cash/posting/record.ts';
import { vouched } from '#lib/records/stored.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { walk } from '#lib/table/read/walk.ts';
import { MONEY_KINDS, type MoneyKind, nameOf } from '#lib/values/money.ts';
import { type Audit, itemsAt } from './audit.ts';
import { dayFaults, type LatestDay, newLatestDay, noteInDay } from './days.ts';
import { noteOccasion } from './occasions.ts';
import { noteInShift, openShiftFaults } from './shifts.ts';
import { addTo } from './sums.ts';

type Balances = StoredPosting['additional']['balances_after'];

/** A desk as its postings make it. */
interface Desk {
  readonly postingIds: number[];
  /** How often a posting ends with these sums, less how often one begins with them. */
  readonly ends: Map<string, number>;
  readonly sums: Map<string, number>;
  readonly onHold: Map<string, number>;
  readonly day: LatestDay;
}

/**
 * Checks every desk and posts its postings: they add up to its money, and form a chain from nothing to it.
 * The chain is not in the order of ids, but each posting begins with what another has ended with.
 */
export async function checkDesks(audit: Audit): Promise<void> {
  const { home } = audit;
  const ids = await deskIds(audit);
  const keys = ids.map((id) => deskMoneyKey(home, id));
  const before = await getItems(keys);
  const desks = new Map(ids.map((id) => [id, newDesk()]));
  for await (const items of walk(partition(POSTING, home))) {
    for (const item of items) postingFor(audit, desks, vouched(deskPostings.schema, item));
  }
  const after = await getItems(keys);
  for (const [index, id] of ids.entries()) {
    addTo(audit.counts, 'desks', 1);
    // A desk that has changed while postings were read is not judged.
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

function postingFor(audit: Audit, desks: Map<number, Desk>, posting: StoredPosting): void {
  const { id, cashbox_id, type, amount, status, additional, balances_after_cancel } = posting;
  addTo(audit.counts, 'postings', 1);
  const { payment_type, currency, source_type, source_id, source_data } = posting;
  const { is_returned, reversal_id, reversal_of_id, shift_id } = posting;
  audit.postings.post(String(id), {
    cashbox_id,
    type,
    payment_type,
    currency,
    amount,
    status,
    source_type,
    source_id,
    source_data,
    is_returned,
    reversal_id,
    reversal_of_id,
    shift_id,
  });
  noteInShift(audit, posting);
  noteOccasion(audit, posting);
  const desk = desks.get(cashbox_id);
  if (!desk) return;
  noteInDay(desk.day, posting);
  const change = type === 'income' ? amount : -amount;
  addLink(desk, posting, change, additional.balances_after);
  // A cancellation moves the money back, without a posting of its own.
  if (status === 'canceled') addLink(desk, posting, -change, balances_after_cancel);
  if (status === 'on_hold') addTo(desk.onHold, kindText(posting), amount);
  desk.postingIds.push(id);
}

/** Adds a movement to a desk's sums and chain: by how much, and what the desk had after it. */
function addLink(desk: Desk, moved: MoneyKind, change: number, after: Balances | undefined): void {
  const end = (kind: MoneyKind) => Math.round(Number(after?.[kind.payment_type][kind.currency] ?? 0) * 100);
  const isMoved = (kind: MoneyKind) => kindText(kind) === kindText(moved);
  addTo(desk.sums, kindText(moved), change);
  addTo(desk.ends, sumsText(end), 1);
  addTo(
    desk.ends,
    sumsText((kind) => end(kind) - (isMoved(kind) ? change : 0)),
    -1,
  );
}

function checkDesk(audit: Audit, id: number, money: DeskMoney, desk: Desk): void {
  const { sums, onHold, ends, postingIds, day } = desk;
  const report = (what: string) =>
    audit.violations.push({
      book: 'desks',
      subject: `desk ${id}`,
      what,
      history: itemsAt(
        deskMoneyKey(audit.home, id),
        ...postingIds.map((posting) => recordKey(POSTING, audit.home, posting)),
      ),
    });
  for (const kind of MONEY_KINDS) {
    const [has, came] = [moneyIn(money, kind), sums.get(kindText(kind)) ?? 0];
    if (has !== came) report(`has ${has} of ${kindText(kind)}, its postings come to ${came}`);
    const [held, sent] = [money.on_hold?.[nameOf(kind)] ?? 0, onHold.get(kindText(kind)) ?? 0];
    if (held !== sent)
      report(`says that ${held} of ${kindText(kind)} is on hold, its postings that ${sent} is`);
  }
  for (const what of [...dayFaults(money, day), ...openShiftFaults(audit, money)]) report(what);
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
    report(count > 0 ? `no posting goes on from ${text}` : `no posting leads to ${text}`);
  }
}

function kindText({ payment_type, currency }: MoneyKind): string {
  return `${payment_type} ${currency}`;
}

function newDesk(): Desk {
  return { postingIds: [], ends: new Map(), sums: new Map(), onHold: new Map(), day: newLatestDay() };
}

function sumsText(sumOf: (kind: MoneyKind) => number): string {
  const parts = MONEY_KINDS.map((kind) => [kindText(kind), sumOf(kind)] as const);
  const held = parts.filter(([, sum]) => sum !== 0).map(([name, sum]) => `${name} ${sum}`);
  return held.length > 0 ? held.join(', ') : 'nothing';
}
