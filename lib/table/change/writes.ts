import { any, equals } from '#lib/table/expression.ts';
import { LOCK, unlocked } from '#lib/table/items.ts';
import { addressOf } from '#lib/table/keys.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { type Action, actionOf, type Change } from './change.ts';
import { MAX_ACTIONS } from './send.ts';
import { bytesIn, MAX_BYTES, type Write } from './write.ts';

/** Merges writes of the same item: equal conditions are required once, added amounts are summed. */
export function mergeWrites(writes: readonly Write[]): Write[] {
  const byItem = new Map<string, Write>();
  for (const write of writes) {
    const address = addressOf(write.key);
    const before = byItem.get(address);
    byItem.set(address, before ? mergeTwo(before, write) : write);
  }
  return [...byItem.values()];
}

function mergeTwo(a: Write, b: Write): Write {
  if (!isPlain(a.change) || !isPlain(b.change) || conditionOf(a) !== conditionOf(b)) {
    throw new Error(`Two writes of one item, ${addressOf(a.key)}, cannot be merged`);
  }
  if (a.change.kind === 'check' || b.change.kind === 'check') return a.change.kind === 'check' ? b : a;
  const add = { ...a.change.add };
  for (const [path, value] of Object.entries(b.change.add)) add[path] = (add[path] ?? 0) + value;
  return { ...a, change: { ...a.change, add } };
}

type Plain = Extract<Change, { kind: 'check' | 'update' }>;

/** Returns true if a change only checks or adds, so that order does not matter. */
function isPlain(change: Change): change is Plain {
  if (change.kind === 'update') return Object.keys(change.set).length + change.unset.length === 0;
  return change.kind === 'check';
}

function conditionOf({ key, guard }: Write): string {
  return JSON.stringify(actionOf(key, { kind: 'check' }, guard ? [guard.if] : []));
}

/**
 * Replaces writes by their `ifRoom`, the largest items first, while the transaction stays native. One more
 * action would make it journaled, at three times the latency; a transaction that is journaled anyway has room
 * for all.
 */
export function fitActionLimit(writes: readonly Write[]): readonly Write[] {
  const wishes = writes.filter(({ ifRoom }) => ifRoom).sort((a, b) => bytesIn(b) - bytesIn(a));
  let room = writes.length > MAX_ACTIONS ? Number.POSITIVE_INFINITY : MAX_ACTIONS - writes.length;
  const granted = new Map<Write, readonly Write[]>();
  for (const write of wishes) {
    const { ifRoom = [] } = write;
    room -= ifRoom.length - 1;
    if (room < 0) break;
    granted.set(write, ifRoom);
  }
  return writes.flatMap((write) => granted.get(write) ?? write);
}

/** Builds the native action of a write, which requires an unlocked item, or one under the accepted lock. */
export function actionFor({ key, change, guard, under }: Write): Action {
  const free = under === undefined ? unlocked : any([unlocked, equals(LOCK, under)]);
  return actionOf(key, change, guard ? [free, guard.if] : [free]);
}

/** Validates the item sizes of writes, as far as they are known. 400 if one is too large. */
export function requireSizes(writes: readonly Write[]): void {
  if (writes.some((write) => bytesIn(write) > MAX_BYTES)) throw badRequest('document.too_large');
}

/** Strips writes of their errors, so that every failing guard means contention. */
export function withoutErrors(writes: readonly Write[]): Write[] {
  return writes.map((write) => ({ ...write, guard: write.guard && { if: write.guard.if } }));
}
