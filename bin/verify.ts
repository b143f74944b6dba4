import { main, print, TEXT } from './cli/main.ts';
import { chooseTable } from './local/choose-table.ts';

/* Checks that a family's books add up, on any table, even during operation. It only reads. */

const USAGE = `npm run verify -- [--family <id>] [--stage <name>] [--table <name>]

Checks the books of a company family (the id is its main company's), or of all of them: movements of goods
form a chain and add up to stock levels and batches; sales, receipts, write-offs and transfers match their lines,
movements, payments, postings, debts and suppliers' operations; balances of desks, suppliers and
clients match their documents; the entries of a tariff add up to its balance; lists match the table.

Without a stage or a table it checks the table of the service that runs here (npm start). Days are those of the
stage's TIME_ZONE, also if another table is named beside it; of a table alone they are those of TIME_ZONE in
the environment. It reads all records of a family and holds some 300 bytes of each movement in memory. It scans
the table once for pending large transactions, which are reported, but are no violation. Apparent faults are read
twice more, so that work in progress is not taken for a fault.

Ends with 0 if everything adds up, with 1 and the history of the records concerned if not, and with 2 if the
check failed.`;

const COULD_NOT_LOOK = 2;

await main(
  USAGE,
  { options: { family: TEXT, stage: TEXT, table: TEXT } },
  async ({ values: { family, stage, table } }) => {
    await chooseTable({ stage, table });
    // Imported late: it reads the time zone of days from the environment, which was just set.
    const { verifyTable } = await import('./verify/table.ts');
    process.exitCode = (await verifyTable(family, print)) > 0 ? 1 : 0;
  },
  COULD_NOT_LOOK,
);
