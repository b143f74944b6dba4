import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { type RequestedEntry, readEntries } from '#lib/sync/entries.ts';

/** A record as delivered to a receiver. */
interface SeenRecord {
  readonly revision: number;
  readonly companyId: number | null;
}

const OfCompany = z.object({ company_id: z.int() });

/**
 * Reads a record as the actor's sync replica has it, with that reach and revision. Undefined if it does not
 * exist or is out of reach; one locked by a pending change does exist. Two round trips at most, one if the
 * record is only its header.
 */
export async function readEntry(actor: Staff, request: RequestedEntry): Promise<SeenRecord | undefined> {
  const [entry] = await readEntries({ actor, locale: 'ru', isBare: true }, [request]);
  if (!entry) return undefined;
  const { type, id, revision, record } = entry;
  if (type === 'company.company') return { revision, companyId: id };
  const own = OfCompany.safeParse(record).data?.company_id;
  return { revision, companyId: own ?? request.companyId ?? null };
}
