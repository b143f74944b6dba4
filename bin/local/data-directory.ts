import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The format of what is stored: one more whenever today's code can't read what yesterday's has written. */
const SHAPE = '6';

/**
 * Prepares the directory of the local data. Data of another format are put aside, and the service begins
 * anew: it answers with their new place.
 */
export function prepareDirectory(directory: string, now: number): string | undefined {
  const aside = isOfOtherShape(directory) ? `${directory}-until-${now}` : undefined;
  if (aside !== undefined) renameSync(directory, aside);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'shape'), SHAPE);
  return aside;
}

function isOfOtherShape(directory: string): boolean {
  if (!existsSync(join(directory, 'dynamodb'))) return false;
  const shape = join(directory, 'shape');
  return !existsSync(shape) || readFileSync(shape, 'utf8') !== SHAPE;
}
