import { main, print, TEXT } from './cli/main.ts';
import { chooseTable } from './local/choose-table.ts';

/* Checks that a family's books add up, on any table, even during operation. It only reads. */

const USAGE = `npm run verify -- [--family <id>] [--stage <name>] [--table <name>]

Checks the books of a company family (the id is its main company's), or of all of them: movements of goods
form a chain and add up to balances and batches; cheques, receipts, write-offs and transfers agree with their lines,
movements, payments, postings, debts and suppliers' operations; desks, suppliers and clients have what their
documents say; the entries of a tariff come to its balance; lists show what is in the table.

Without a stage or a table it checks the table of the service that runs here (npm start). Days are those of the
stage's TIME_ZONE, also if another table is named beside it; of a table alone they are those of TIME_ZONE in
the environment. It reads everything that a family has and keeps some 300 bytes of each movement. It scans the
table once for large transactions that have not ended: they are told, but are no violation. What seems wrong is
read again twice, so that work under way is not taken for a fault.

Ends with 0 if everything adds up, with 1 and the history of the records concerned if not, and with 2 if it
could not look.`;

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
