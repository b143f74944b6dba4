import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

/** The format of what is stored: one more whenever today's code can't read what yesterday's has written. */
const SHAPE = '9';

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

/*
 * Other programs on this machine find the table of a running service by a file. It has the access key, so
 * only its owner may read it. Of two services in a directory it tells of the later.
 */

const DIRECTORY = join(process.cwd(), '.local');
const FILE = join(DIRECTORY, 'service.json');

type Settings = Readonly<Record<string, string>>;

/** Tells other programs the settings of this service, until what it gives is called. */
export function announce(settings: Settings): () => void {
  const text = JSON.stringify(settings);
  mkdirSync(DIRECTORY, { recursive: true });
  // The mode of a file that is there would stay as it was.
  rmSync(FILE, { force: true });
  writeFileSync(FILE, text, { mode: 0o600 });
  return () => {
    if (existsSync(FILE) && readFileSync(FILE, 'utf8') === text) rmSync(FILE);
  };
}

/** Finds the settings of the service that runs here. One that was killed has left its file, but no table. */
export async function findAnnounced(): Promise<Settings | undefined> {
  if (!existsSync(FILE)) return undefined;
  const settings = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(FILE, 'utf8')));
  const table = settings['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  return fetch(table).then(
    () => settings,
    () => undefined,
  );
}
