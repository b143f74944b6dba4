import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { type RequestedEntry, readEntries } from '#lib/sync/entries.ts';

/** A record as a receiver is told of it. */
interface SeenRecord {
  readonly revision: number;
  readonly companyId: number | null;
}

const OfCompany = z.object({ company_id: z.int() });

/**
 * Reads what a caller sees of a record, as their copy has it: its reach and its revision are those of the
 * copy. Undefined if it is not there or out of reach; one that changes just now is there. Two round trips at
 * most, one if the record is its header.
 */
export async function readEntry(actor: Staff, asked: RequestedEntry): Promise<SeenRecord | undefined> {
  const [entry] = await readEntries({ actor, locale: 'ru', isBare: true }, [asked]);
  if (!entry) return undefined;
  const { type, id, revision, record } = entry;
  if (type === 'company.company') return { revision, companyId: id };
  const own = OfCompany.safeParse(record).data?.company_id;
  return { revision, companyId: own ?? asked.companyId ?? null };
}
