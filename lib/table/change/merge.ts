import { addressOf } from '#lib/table/keys.ts';
import { actionOf } from './action.ts';
import type { Change } from './change.ts';
import type { Write } from './write.ts';

/**
 * Merges writes so that no item comes twice: conditions that are the same are required once, what is added is
 * summed.
 */
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

/** Tells whether a change only requires or adds: then order does not matter. */
function isPlain(change: Change): change is Plain {
  if (change.kind === 'update') return Object.keys(change.set).length + change.unset.length === 0;
  return change.kind === 'check';
}

function conditionOf({ key, guard }: Write): string {
  return JSON.stringify(actionOf(key, { kind: 'check' }, guard ? [guard.if] : []));
}
