import { worker } from '#lib/http/worker.ts';
import { JournalMessage, settleJournal } from '#lib/system/journals.ts';

/** Sees to large transactions that were cut off. */
export const handler = worker({ message: JournalMessage, run: settleJournal });
