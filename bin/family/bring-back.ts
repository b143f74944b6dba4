import { print, requireOption } from '../cli/main.ts';
import { prompt } from '../cli/prompt.ts';
import { chooseTable } from '../local/choose-table.ts';
import { findFilesBucket } from '../stage/files-bucket.ts';
import { describeTable, placeOfTable } from '../stage/table.ts';
import { requireTypedId } from './owner.ts';

/** Command-line options of a family's restore. */
interface Typed {
  readonly family: string;
  readonly from?: string | undefined;
  readonly stage?: string | undefined;
  readonly table?: string | undefined;
  readonly bucket?: string | undefined;
  readonly yes?: string | undefined;
}

/** Restores a closed family in the table in use to its state in a restored table, and verifies its books. */
export async function bringBack({ stage, table, ...typed }: Typed): Promise<void> {
  const family = requireTypedId(typed.family, 'Which family?');
  const from = requireOption(typed.from, 'From which restored table?');
  await chooseTable({ stage, table });
  const to = requireOption(process.env['TABLE_NAME'], 'To which table?');
  const bucket = typed.bucket ?? (await findFilesBucket(stage));
  process.env['FILES_BUCKET'] = requireOption(bucket, 'In which bucket are its files?');
  const there = await describeTable(from);
  if (!there) throw new Error(`There is no table ${from}: npm run restore makes it.`);
  if (from === to) throw new Error(`${from} is the table in use: name the one that was restored beside it.`);
  // These imports read the time zone of days from the environment, set just above.
  const { requireStill } = await import('./closed.ts');
  const { requireFamilyIn } = await import('./former.ts');
  const { restoreFamily } = await import('./restore.ts');
  const { reportMissingFiles } = await import('./gone-files.ts');
  const { verifyTable } = await import('../verify/table.ts');
  process.removeAllListeners('warning');
  const name = await requireStill(family, Date.now());
  await requireFamilyIn(from, family);
  const moment = there.RestoreSummary?.RestoreDateTime?.toISOString();
  print(`Brings family ${family} of ${to} back to what ${from} has of it${moment ? `, of ${moment}` : ''}.
That is in ${await placeOfTable()}, scans both tables, and takes some minutes for a gigabyte.
People, companies, webhooks and the tariff stay as they are today.`);
  const asked = `All that family ${family} has written since is lost. Type its name to bring it back: `;
  const given = typed.yes ?? (await prompt(asked));
  if (given !== name) throw new Error(`Not brought back: "${given}" is not its name.`);
  const { written, removed } = await restoreFamily(
    { family, from, to, note: reportMissingFiles(print) },
    Date.now(),
  );
  print(`Family ${family}: ${written} items were written, ${removed} were removed. Its books:`);
  if ((await verifyTable(String(family), print)) > 0)
    throw new Error('Its books do not add up: choose another minute. Leave it closed until they do.');
  print(`The books add up. Restore its main company, and it is open again; its copies begin anew.`);
}
