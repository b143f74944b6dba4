import { DESK_MONEY, DeskMoney, deskMoneyKey, moneyIn } from '#lib/cash/desk/money.ts';
import { deskPostings, POSTING, type StoredPosting } from '#lib/cash/posting/record.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { MONEY_KINDS, nameOf } from '#lib/values/money.ts';
import { addTo, type Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { moneyEntryOf } from '../frame/entries.ts';
import { ownersAtRest, readOwners } from '../frame/owners.ts';
import { addLink, chainBreaks, type Ends, kindText } from './chain.ts';
import { dayFaults, type LatestDay, newLatestDay, noteInDay } from './days.ts';
import { noteInShift, openShiftFaults } from './tallies.ts';

/** A desk by its postings. */
interface Desk {
  readonly postingIds: number[];
  readonly ends: Ends;
  readonly sums: Map<string, number>;
  readonly onHold: Map<string, number>;
  readonly day: LatestDay;
}

/** Checks every desk and posts its postings: they add up to its money, and are a chain from nothing to it. */
export async function readDesks(books: Books): Promise<void> {
  const { home } = books;
  const before = await readOwners(home, DESK_MONEY);
  const desks = new Map([...before.keys()].map((id) => [id, newDesk()]));
  for await (const posting of everyOf(home, deskPostings)) {
    books.count('postings');
    books.postings.post(posting.id, moneyEntryOf(posting));
    noteInShift(books, posting);
    const desk = desks.get(posting.cashbox_id);
    if (desk) addPosting(desk, posting);
  }
  for (const [id, item] of await ownersAtRest(books, 'desks', DESK_MONEY, before)) {
    const desk = desks.get(id) ?? newDesk();
    const faults = deskFaults(books, DeskMoney.parse(item), desk);
    if (faults.length === 0) continue;
    books.report({ book: 'desks', subject: `desk ${id}`, keys: keysOf(home, id, desk) }, faults);
  }
}

function newDesk(): Desk {
  return { postingIds: [], ends: new Map(), sums: new Map(), onHold: new Map(), day: newLatestDay() };
}

function addPosting({ postingIds, ends, sums, onHold, day }: Desk, posting: StoredPosting): void {
  const { id, type, amount, status, additional, balances_after_cancel } = posting;
  const kind = kindText(posting);
  const change = type === 'income' ? amount : -amount;
  noteInDay(day, posting);
  addTo(sums, kind, change);
  addLink(ends, posting, change, additional.balances_after);
  // A cancellation moves the money back, without a posting of its own.
  if (status === 'canceled') addTo(sums, kind, -change);
  if (status === 'canceled') addLink(ends, posting, -change, balances_after_cancel);
  if (status === 'on_hold') addTo(onHold, kind, amount);
  postingIds.push(id);
}

function deskFaults(books: Books, money: DeskMoney, { sums, onHold, ends, day }: Desk): string[] {
  const unlike = MONEY_KINDS.flatMap((kind) => {
    const name = kindText(kind);
    const [has, came] = [moneyIn(money, kind), sums.get(name) ?? 0];
    const [waits, sent] = [money.on_hold?.[nameOf(kind)] ?? 0, onHold.get(name) ?? 0];
    return [
      ...(has === came ? [] : [`has ${has} of ${name}, its postings come to ${came}`]),
      ...(waits === sent ? [] : [`says that ${waits} of ${name} is on hold, its postings that ${sent} is`]),
    ];
  });
  return [...unlike, ...dayFaults(money, day), ...openShiftFaults(books, money), ...chainBreaks(ends, money)];
}

function keysOf(home: Home, id: number, { postingIds }: Desk) {
  return [deskMoneyKey(home, id), ...postingIds.map((posting) => recordKey(POSTING, home, posting))];
}
