import { resolve } from 'node:path';
import { main, print, requireOption, TEXT } from './cli/main.ts';
import { requireTypedId } from './family/owner.ts';
import { chooseTable } from './local/choose-table.ts';
import { outputOf } from './stage/stack.ts';

/* Exports all records of a family to a folder: for the family, or before it is erased. Read-only. */

const USAGE = `npm run export -- --family <id> [--stage <name>] [--table <name>] [--to <folder>]

Writes all that a company family has (the id is its main company's) to a folder, family-<id> unless another is
named: a file of JSON lines for each type of record, as copies have them (docs/contract/part-4.md, 4.1), deleted
ones among them and with all their lines; one for each other kind of item, as the table has it; and the files that
they name, under files/. docs/families.md names them all. Without a stage it is the service that runs here (npm
start). It takes about a minute for ten thousand records with files. Cut off, it goes on when it is run again.

A family that works meanwhile is not of one moment: what is written behind the export is not in it. It has no
passwords, no keys, and no secrets of webhooks.`;

const OPTIONS = { family: TEXT, stage: TEXT, table: TEXT, to: TEXT, address: TEXT } as const;

await main(USAGE, { options: OPTIONS }, async ({ values: { stage, table, ...values } }) => {
  const family = requireTypedId(values.family, 'Which family?');
  await chooseTable({ stage, table });
  const folder = values.to ?? `family-${family}`;
  const address =
    values.address ?? (stage === undefined ? process.env['ADDRESS'] : await outputOf(stage, 'Address'));
  process.env['ADDRESS'] = requireOption(address, 'At which address are its files? Give --address.');
  // These imports read the time zone of days from the environment, set just above.
  const { requireFamily } = await import('./verify/table.ts');
  const { exportFamily } = await import('./family/export.ts');
  await requireFamily(String(family));
  print(`Writes family ${family} to ${resolve(folder)}.`);
  const { records, files, begun_at, ended_at } = await exportFamily(family, folder, process.env['ADDRESS']);
  print(`Family ${family}: ${records} records and ${files} files, from ${begun_at} to ${ended_at}.`);
});
