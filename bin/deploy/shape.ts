import { noteShape, whyUnreadable } from '#lib/platform/shape.ts';
import { findOutput } from '../stage/stack.ts';

/**
 * Requires that the new code can read the stage's data, and records the schema version that it will write. A
 * stage whose first deployment has not completed has none.
 */
export async function requireReadableShape(stage: string): Promise<void> {
  const table = await findOutput(stage, 'TableName');
  if (table === undefined) return;
  process.env['TABLE_NAME'] = table;
  const unreadable = await whyUnreadable();
  if (unreadable !== undefined) throw new Error(`Nothing was deployed. ${unreadable}`);
  await noteShape(Date.now());
}
