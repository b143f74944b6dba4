import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The format of what is stored: one more whenever today's code can't read what yesterday's has written. */
const SHAPE = '8';

/**
 * Prepares the directory of the local data. Data of another format are put aside, and the service begins
 * anew: it answers with their new place.
 */
export function prepareDirectory(directory: string, now: number): string | undefined {
  const aside = isOfOtherShape(directory) ? `${directory}-until-${now}` : undefined;
  if (aside !== undefined) renameSync(directory, aside);
  mkdirSync(directory, { recursive: true });
  // The table's file in it has the access key for a name.
  chmodSync(directory, 0o700);
  writeFileSync(join(directory, 'shape'), SHAPE);
  return aside;
}

/** Finds the access key of the data in a directory; the first start makes it. */
export function accessKeyIn(directory: string): string {
  const file = join(directory, 'access-key');
  if (!existsSync(file)) writeFileSync(file, newAccessKey(), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** Makes an access key that nobody guesses. */
export function newAccessKey(): string {
  return randomBytes(16).toString('hex');
}

function isOfOtherShape(directory: string): boolean {
  if (!existsSync(join(directory, 'dynamodb'))) return false;
  const shape = join(directory, 'shape');
  return !existsSync(shape) || readFileSync(shape, 'utf8') !== SHAPE;
}
