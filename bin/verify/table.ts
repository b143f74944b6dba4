import * as z from 'zod';
import { everyFamily, MainCompany } from '#lib/people/company/families.ts';
import { companies } from '#lib/people/company/record.ts';
import { whyUnreadable } from '#lib/platform/shape.ts';
import { findRecord } from '#lib/records/record.ts';
import { dynamo } from '#lib/table/client.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { ZONE } from '#lib/values/time.ts';
import { checkFamily } from './family.ts';
import { pendingJournals, printFamily, printPendingJournals } from './print.ts';

/**
 * Checks the books of one family, or of all families of the table, and prints the outcome; returns the number
 * of violations.
 */
export async function verifyTable(family: string | undefined, log: (text: string) => void): Promise<number> {
  readOnly();
  const unreadable = await whyUnreadable();
  if (unreadable !== undefined) throw new Error(unreadable);
  let violations = 0;
  const families = family === undefined ? await allFamilies() : [await requireFamily(family)];
  log(`Days are those of ${ZONE}.`);
  for (const id of families) {
    const outcome = await checkFamily(id);
    violations += outcome.violations.length;
    log(await printFamily(id, outcome));
  }
  for (const line of printPendingJournals(await pendingJournals(), Date.now())) log(line);
  return violations;
}

async function allFamilies(): Promise<number[]> {
  const all: number[] = [];
  for await (const ids of everyFamily()) all.push(...ids);
  return all;
}

/** Returns the id of a family given on the command line. */
export async function requireFamily(family: string): Promise<number> {
  const id = z.coerce.number().int().positive().safeParse(family).data ?? 0;
  const company = await findRecord({ type: companies, tenant: PLATFORM, id });
  if (!MainCompany.safeParse(company).success)
    throw new Error(`There is no family ${family}: it has the id of its main company.`);
  return id;
}

const READS = /^(Get|BatchGet|Query|Scan)/;

/**
 * Blocks all writes of this process to the table. Warnings of blocked writes are useless, so they are
 * silenced.
 */
function readOnly(): void {
  process.removeAllListeners('warning');
  dynamo.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        if (!READS.test(commandName)) throw new Error(`${commandName} is refused: this program only reads`);
        return next(args);
      },
    { step: 'initialize', priority: 'high', name: 'read-only', override: true },
  );
}
