import { UsageError } from '../cli/main.ts';
import { outputOf } from '../stage/stack.ts';
import { findAnnounced } from './data-directory.ts';

/** Command-line options that select a table. */
interface TableOptions {
  readonly stage: string | undefined;
  readonly table: string | undefined;
}

/**
 * Selects the table and the time zone of its days for all later imports: a stage's, or those of the service
 * that runs here. A given table replaces the stage's; without a stage its days are those of `TIME_ZONE`.
 */
export async function chooseTable({ stage, table }: TableOptions): Promise<void> {
  if (stage === undefined && table === undefined) return chooseRunning();
  if (table !== undefined) process.env['TABLE_NAME'] = table;
  if (stage === undefined) return;
  if (table === undefined) process.env['TABLE_NAME'] = await outputOf(stage, 'TableName');
  process.env['TIME_ZONE'] = await outputOf(stage, 'TimeZone');
}

async function chooseRunning(): Promise<void> {
  const settings = await findAnnounced();
  if (!settings) throw new UsageError('Which table? No service runs here (npm start).');
  Object.assign(process.env, settings);
}
