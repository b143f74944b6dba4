import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SHAPE } from '#lib/platform/shape.ts';
import type { EngineName } from './database/engine.ts';

/**
 * Prepares the directory of the local data for an engine. Data of another format, or written by another
 * engine, are put aside, and the service begins anew: it answers with their new place. Data of a start that
 * was cut off before its first answer hold nothing of anybody's, and are removed.
 */
export function prepareDirectory(directory: string, engine: EngineName, now: number): string | undefined {
  if (existsSync(join(directory, UNFINISHED))) rmSync(directory, { recursive: true });
  const shape = `${SHAPE} ${engine}`;
  const aside = isOfOtherShape(directory, shape) ? `${directory}-until-${now}` : undefined;
  if (aside !== undefined) renameSync(directory, aside);
  const isNew = !existsSync(join(directory, TABLE_FOLDER));
  mkdirSync(directory, { recursive: true });
  // The table's file in it has the access key for a name.
  chmodSync(directory, 0o700);
  if (isNew) writeFileSync(join(directory, UNFINISHED), '');
  writeFileSync(join(directory, 'shape'), shape);
  return aside;
}

/** The folder of a data directory in which the engine keeps the table. */
export const TABLE_FOLDER = 'dynamodb';

/** Stands in a data directory until the first start has filled it. */
const UNFINISHED = 'unfinished';

/** Says that the data are whole: another start goes on from them. */
export function finishDirectory(directory: string): void {
  rmSync(join(directory, UNFINISHED), { force: true });
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

function isOfOtherShape(directory: string, shape: string): boolean {
  if (!existsSync(join(directory, TABLE_FOLDER))) return false;
  const file = join(directory, 'shape');
  return !existsSync(file) || readFileSync(file, 'utf8') !== shape;
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
