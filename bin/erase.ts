import { main, print, requireOption, TEXT } from './cli/main.ts';
import { prompt } from './cli/prompt.ts';
import { requireExport } from './family/exported.ts';
import { requireTypedId } from './family/owner.ts';
import { chooseTable } from './local/choose-table.ts';
import { findFilesBucket } from './stage/files-bucket.ts';
import { placeOfTable } from './stage/table.ts';

/* Permanently erases a family that was deleted and exported. */

const USAGE = `npm run erase -- --family <id> [--from <folder>] [--yes <name>] [--stage <name>] [--table <name>] [--bucket <name>]

Erases a company family for good: its records, documents, users and files. Its main company must be deleted, and
exported after that (npm run export): the export's folder is family-<id> unless another is named. It asks for the
company's name, unless that is given by --yes. Without a stage it is the service that runs here (npm start).

It reads the whole table twice: minutes for a gigabyte, while others work. Cut off, it goes on when it is run again.
Run it again a minute later: what follows the table may have told of what went. docs/families.md says what stays,
and for how long.`;

const OPTIONS = { family: TEXT, from: TEXT, yes: TEXT, stage: TEXT, table: TEXT, bucket: TEXT } as const;

const PAGE = 500;

await main(USAGE, { options: OPTIONS }, async ({ values: { stage, table, ...values } }) => {
  const family = requireTypedId(values.family, 'Which family?');
  const { name, begunAt, keys } = requireExport(values.from ?? `family-${family}`, family);
  await chooseTable({ stage, table });
  const bucket = values.bucket ?? (await findFilesBucket(stage));
  process.env['FILES_BUCKET'] = requireOption(bucket, 'In which bucket are its files?');
  // These imports read the time zone of days from the environment, set just above.
  const { requireClosed } = await import('./family/closed.ts');
  const { eraseFamily } = await import('./family/erase.ts');
  const { removeFiles } = await import('#lib/files/storage.ts');
  const { splitEvery } = await import('#lib/values/concurrency.ts');
  process.removeAllListeners('warning');
  await requireClosed(family, begunAt);
  print(`Erases family ${family} and its ${keys.length} files from ${process.env['TABLE_NAME']} and ${bucket}.
That is in ${await placeOfTable()}, reads the whole table twice, and takes minutes for a gigabyte.`);
  const typed =
    values.yes ?? (await prompt(`All data of family ${family} are lost. Type its name to erase it: `));
  if (typed !== name) throw new Error(`Not erased: "${typed}" is not its name.`);
  for (const some of splitEvery(keys, PAGE)) await removeFiles(some);
  const items = await eraseFamily(family, Date.now());
  print(`Family ${family}: ${items} items and ${keys.length} files were erased.
Backups have them for 35 more days; logs have its ids for 6 months, and no names.
Run it again in a minute, until no items are left.`);
});
