import { reopensDay } from '#lib/cash/desk/day.ts';
import { DESK_MONEY, DeskMoney, moneyIn } from '#lib/cash/desk/money.ts';
import { deskPostings, POSTING, type StoredPosting } from '#lib/cash/posting/record.ts';
import type { Item } from '#lib/table/client.ts';
import { recordKey } from '#lib/table/keys.ts';
import { Direction, MONEY_KINDS, type MoneyKind, nameOf } from '#lib/values/money.ts';
import { type Day, dayOf } from '#lib/values/time.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { moneyEntryOf } from '../frame/entries.ts';
import { faultUnless, NamedSums, sumsBy } from '../frame/ledger.ts';
import { checkOwners, readOwners } from '../frame/owners.ts';
import { addToShiftTally, openShiftFaults } from './tallies.ts';

/** A desk by its postings. */
type Desk = ReturnType<typeof newDesk>;

function newDesk() {
  const postingIds: number[] = [];
  /** Count of postings that end with these balances, less those that begin with them. */
  const ends = new NamedSums();
  const days = new Map<Day, NamedSums>();
  const clock = { latest: 0, changed: 0, isSetBack: false };
  return { postingIds, ends, days, clock, sums: new NamedSums(), onHold: new NamedSums() };
}

/**
 * Checks every desk and posts its postings: they add up to its money, and form a chain from nothing to it.
 */
export async function readDesks(books: Books): Promise<void> {
  const { tenant } = books;
  const before = await readOwners(tenant, { book: 'desks', noun: 'desk', counters: DESK_MONEY });
  const desks = new Map([...before.had.keys()].map((id) => [id, newDesk()]));
  for await (const posting of everyOf(tenant, deskPostings)) {
    books.count('postings');
    books.postings.post(posting.id, moneyEntryOf(posting));
    addToShiftTally(books, posting);
    const desk = desks.get(posting.cashbox_id);
    if (desk) addPosting(desk, posting);
  }
  const faultsOf = (id: number, item: Item) =>
    deskFaults(books, DeskMoney.parse(item), desks.get(id) ?? newDesk());
  await checkOwners(books, before, faultsOf, (id) =>
    (desks.get(id)?.postingIds ?? []).map((posting) => recordKey(POSTING, tenant, posting)),
  );
}

function addPosting({ postingIds, ends, sums, onHold, days, clock }: Desk, posting: StoredPosting): void {
  const { id, type, amount, status, additional, balances_after_cancel } = posting;
  readClock(clock, posting);
  const kind = kindText(posting);
  const change = type === 'income' ? amount : -amount;
  const day = sumsBy(days, dayOf(posting.created_at));
  if (countsInDay(posting)) day.add(`${type} ${nameOf(posting)}`, amount);
  sums.add(kind, change);
  addLink(ends, posting, change, additional.balances_after);
  // A cancellation reverses the money without a posting of its own.
  if (status === 'canceled') sums.add(kind, -change);
  if (status === 'canceled') addLink(ends, posting, -change, balances_after_cancel);
  if (status === 'on_hold') onHold.add(kind, amount);
  postingIds.push(id);
}

/** Returns whether a posting counts: completed, no reversal and not reversed. Contract 9.38. */
function countsInDay({ status, is_returned = false, reversal_of_id = null }: StoredPosting): boolean {
  return status === 'completed' && !is_returned && reversal_of_id === null;
}

/** Follows the clock of a desk's postings, in the order of their ids. */
function readClock(clock: Desk['clock'], { created_at, updated_at }: StoredPosting): void {
  clock.isSetBack ||= reopensDay(dayOf(clock.latest), created_at);
  clock.latest = Math.max(clock.latest, created_at);
  clock.changed = Math.max(clock.changed, updated_at);
}

function deskFaults(books: Books, money: DeskMoney, desk: Desk): string[] {
  const { sums, onHold, ends } = desk;
  const unlike = MONEY_KINDS.flatMap((kind) => {
    const name = kindText(kind);
    const [has, came] = [moneyIn(money, kind), sums.of(name)];
    const [waits, sent] = [money.on_hold?.[nameOf(kind)] ?? 0, onHold.of(name)];
    return [
      ...faultUnless(has === came, `has ${has} of ${name}, its postings come to ${came}`),
      ...faultUnless(
        waits === sent,
        `says that ${waits} of ${name} is on hold, its postings that ${sent} is`,
      ),
    ];
  });
  return [
    ...unlike,
    ...dayFaults(money, desk),
    ...openShiftFaults(books, money),
    ...chainBreaks(ends, money),
  ];
}

/**
 * Checks a desk's day against its postings. A clock that was set back is no fault: a day that it left and
 * came back to counts only later movements.
 */
function dayFaults({ day }: DeskMoney, { days, clock }: Desk): string[] {
  const latest = dayOf(clock.latest);
  if (!day || day.date !== latest) return [];
  if (clock.isSetBack || dayOf(clock.changed) > latest) return [];
  const came = sumsBy(days, latest);
  return Direction.options.flatMap((type) =>
    MONEY_KINDS.flatMap((kind) => {
      const name = `${type} ${nameOf(kind)}`;
      const says = day[type][nameOf(kind)] ?? 0;
      return faultUnless(
        says === came.of(name),
        `says ${says} of ${name} on ${latest}, its postings ${came.of(name)}`,
      );
    }),
  );
}

/*
 * The postings of a desk form a chain from nothing to its money. It is not in the order of ids, but each
 * posting begins with the end of another.
 */

type Balances = StoredPosting['additional']['balances_after'];

/** Adds a movement that left a desk with these balances. */
function addLink(ends: NamedSums, moved: MoneyKind, change: number, after: Balances | undefined): void {
  const end = (kind: MoneyKind) => Math.round(Number(after?.[kind.payment_type][kind.currency] ?? 0) * 100);
  const begin = (kind: MoneyKind) => end(kind) - (kindText(kind) === kindText(moved) ? change : 0);
  ends.add(sumsText(end), 1);
  ends.add(sumsText(begin), -1);
}

/** Finds breaks in the chain from nothing to a desk's money. */
function chainBreaks(ends: NamedSums, money: DeskMoney): string[] {
  ends.add(
    sumsText(() => 0),
    1,
  );
  ends.add(
    sumsText((kind) => moneyIn(money, kind)),
    -1,
  );
  const broken = [...ends].filter(([, count]) => count !== 0);
  return broken.map(([text, count]) => `no posting ${count > 0 ? 'goes on from' : 'leads to'} ${text}`);
}

/** Returns the name of a kind of money: `cash uzs`. */
function kindText({ payment_type, currency }: MoneyKind): string {
  return `${payment_type} ${currency}`;
}

function sumsText(sumOf: (kind: MoneyKind) => number): string {
  const sums = MONEY_KINDS.map((kind) => [kindText(kind), sumOf(kind)] as const);
  const present = sums.filter(([, sum]) => sum !== 0).map(([name, sum]) => `${name} ${sum}`);
  return present.length > 0 ? present.join(', ') : 'nothing';
}
