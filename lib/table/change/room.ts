import { MOST_ACTIONS } from './native.ts';
import { bytesIn, type Write } from './write.ts';

/**
 * Replaces writes of a transaction by their `ifRoom`, the largest items first, as long as it remains
 * DynamoDB's own. With one action more it would go over the journal and take three times as long; if it does
 * so anyway, there is room for all.
 */
export function withinRoom(writes: readonly Write[]): readonly Write[] {
  const wishes = writes.filter(({ ifRoom }) => ifRoom).sort((a, b) => bytesIn(b) - bytesIn(a));
  let room = writes.length > MOST_ACTIONS ? Number.POSITIVE_INFINITY : MOST_ACTIONS - writes.length;
  const granted = new Map<Write, readonly Write[]>();
  for (const write of wishes) {
    const { ifRoom = [] } = write;
    room -= ifRoom.length - 1;
    if (room < 0) break;
    granted.set(write, ifRoom);
  }
  return writes.flatMap((write) => granted.get(write) ?? write);
}
