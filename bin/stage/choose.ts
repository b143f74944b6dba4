import { outputOf } from './outputs.ts';

/**
 * Chooses a stage's table and the time zone of its days, for all that is imported later. A table that is
 * named takes the place of the stage's; without a stage its days are those of `TIME_ZONE`.
 */
export async function chooseStage(stage: string | undefined, table: string | undefined): Promise<void> {
  if (table !== undefined) process.env['TABLE_NAME'] = table;
  if (stage === undefined) return;
  if (table === undefined) process.env['TABLE_NAME'] = await outputOf(stage, 'TableName');
  process.env['TIME_ZONE'] = await outputOf(stage, 'TimeZone');
}
