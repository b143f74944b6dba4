import { main, print, TEXT } from './cli/main.ts';
import { requireTypedId } from './family/owner.ts';
import { chooseTable } from './local/choose-table.ts';
import { placeOfTable } from './stage/table.ts';

/* Removes a client's personal data from a family's records at the client's request. Sums are unchanged. */

const USAGE = `npm run anonymize -- --family <id> --client <id> [--stage <name>] [--table <name>]

Takes a client's name, telephones, birthday, address and accounts out of the client's card, and name, telephone and
personal number out of the agreements on credit of their sales. What was sold, paid and owed stays, of a client who
is a number. It can't be taken back. Without a stage it is the service that runs here (npm start). It reads all
sales of the family: some minutes for a million. Cut off, it goes on when it is run again.
docs/families.md says what logs and backups keep, and for how long.`;

const OPTIONS = { family: TEXT, client: TEXT, stage: TEXT, table: TEXT } as const;

await main(USAGE, { options: OPTIONS }, async ({ values: { stage, table, ...values } }) => {
  const family = requireTypedId(values.family, 'Which family?');
  const client = requireTypedId(values.client, 'Which client?');
  await chooseTable({ stage, table });
  // These imports read the time zone of days from the environment, set just above.
  const { requireFamily } = await import('./verify/table.ts');
  const { directorFor } = await import('./family/owner.ts');
  const { anonymize } = await import('#lib/trade/credit/anonymize.ts');
  const { ApiError } = await import('#lib/values/api-error.ts');
  // No index queue is available here: the next index update of each list applies the changes.
  process.removeAllListeners('warning');
  await requireFamily(String(family));
  print(`Takes client ${client} out of family ${family} of ${process.env['TABLE_NAME']}.
That is in ${await placeOfTable()}, reads all its sales, and takes minutes for a million.`);
  const { looked, changed } = await anonymize(directorFor(family), client, Date.now()).catch(
    (error: unknown) => {
      const isMissing = error instanceof ApiError && error.status === 404;
      throw isMissing ? new Error(`Family ${family} has no client ${client}.`) : error;
    },
  );
  print(`Client ${client} of family ${family} is a number now: the card, and ${changed} of ${looked} sales.
Logs never had the name. Backups have it for 35 more days:
whoever restores the table from before does this again.`);
});
