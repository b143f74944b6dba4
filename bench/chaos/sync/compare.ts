import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { FIELDS_NOT_SYNCED, type SyncRowShape } from '#bench/support/sync-page.ts';
import type { SyncType } from '#lib/records/sync-type.ts';
import type { Lists } from './lists.ts';
import type { ReplicaEntry } from './reader.ts';

/** Fields of replicas that no list has: verification adds up bonuses. */
const NOT_LISTED = new Set(['bonuses']);

/** Maximum length of a value in a message, in characters. */
const MAX_PRINTED = 200;

/**
 * Lists differences between a replica and the lists of its reader. Lines and returns are compared with those
 * of `whole`, the lists of a reader with full reach.
 */
export function compareReplica(
  entries: Iterable<ReplicaEntry>,
  { own, whole }: { readonly own: Lists; readonly whole: Lists },
): string[] {
  const present = [...entries].filter(({ is_deleted }) => !is_deleted);
  const byType = Map.groupBy(present, ({ type }) => type);
  return [...own].flatMap(([type, rows]) => {
    const copied = new Map((byType.get(type) ?? []).map((entry) => [entry.id, entry]));
    const missed = [...rows].filter(([id]) => !copied.has(id));
    const extra = [...copied.values()].filter(({ id }) => !rows.has(id));
    return [
      ...missed.map(([id, row]) => `${type} ${id} was missed; the list has ${shorten(row)}`),
      ...extra.map((entry) => `${type} ${entry.id} is in no list; the copy has ${describeEntry(entry)}`),
      ...[...copied.values()].flatMap((entry) => {
        const row = rows.get(entry.id);
        return row ? unlikeFields(entry, recordOf(type, row, whole)) : [];
      }),
    ];
  });
}

/** Builds the expected record of a replica from a row. */
function recordOf(type: SyncType, row: SyncRowShape, whole: Lists): SyncRowShape {
  const shown = Object.entries({ ...row, ...partsOf(type, row, whole) }).filter(
    ([name]) => !FIELDS_NOT_SYNCED.has(name),
  );
  return { ...Object.fromEntries(shown), id: row.id };
}

/** Returns the parts that a replica has in addition to the row of its list. */
function partsOf(type: SyncType, { id, status, summary }: SyncRowShape, whole: Lists): object {
  const rowsOf = (other: SyncType) => [...(whole.get(other)?.values() ?? [])];
  const products = whole.get(type)?.get(id)?.['products'];
  const lines = products === undefined ? {} : { products };
  if (type === 'trade.sale') {
    const returns = rowsOf('trade.sale.return').filter(({ sale_id }) => sale_id === id);
    return { ...lines, returns: returns.sort((a, b) => a.id - b.id) };
  }
  if (type === 'trade.cashbox-shift') return { summary: status === 'closed' ? summary : null };
  if (type === 'client.client') {
    return { debts: sumsOf(rowsOf('client.debt').filter(({ client_id }) => client_id === id)) };
  }
  return lines;
}

const Owed = z.object({ currency: z.string(), remaining_amount: z.number() });

function sumsOf(debts: readonly SyncRowShape[]) {
  const sums = new Map(['uzs', 'usd', 'eur', 'rub'].map((currency) => [currency, 0]));
  for (const debt of debts) {
    const { currency, remaining_amount } = Owed.parse(debt);
    // In hundredths: sums of fractions would differ in their last digits.
    sums.set(currency, (sums.get(currency) ?? 0) + Math.round(remaining_amount * 100));
  }
  return Object.fromEntries([...sums].map(([currency, sum]) => [currency, sum / 100]));
}

function unlikeFields(entry: ReplicaEntry, expected: SyncRowShape): string[] {
  const { type, id, record } = entry;
  const names = new Set([...Object.keys(record), ...Object.keys(expected)]);
  const unlike = [...names].filter(
    (name) => !NOT_LISTED.has(name) && !isDeepStrictEqual(record[name], expected[name]),
  );
  return unlike.map((name) => {
    const values = `${shorten(record[name])} in the copy and ${shorten(expected[name])} in the list`;
    return `${type} ${id}: ${name} is ${values}; the copy has ${describeEntry(entry)}`;
  });
}

function describeEntry({ revision, ms }: ReplicaEntry): string {
  return `revision ${revision} since ${ms} ms`;
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > MAX_PRINTED ? `${text.slice(0, MAX_PRINTED)}…` : text;
}
