import * as z from 'zod';
import { recoverJournal } from '#lib/table/journal/recovery.ts';

/** The id of a large transaction, which was under way three minutes ago. */
export const RecoveryMessage = z.object({ id: z.string() });

/** Finishes a transaction whose function died in the middle, or rolls it back, if nobody has met it since. */
export async function recoverTransaction({ id }: z.output<typeof RecoveryMessage>): Promise<void> {
  if ((await recoverJournal(id)) === 'preparing')
    throw new Error(`The journal ${id} is still being prepared`);
}
