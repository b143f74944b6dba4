import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { SHAPE } from '#lib/platform/shape.ts';
import type { EngineName } from './database/engine.ts';

/**
 * Prepares the directory of local data for an engine. Data of another format or engine are moved aside, and
 * the service starts empty: returns their new path. Data of a first start that was interrupted contain no
 * user's work, and are removed.
 */
export function prepareDirectory(directory: string, engine: EngineName, now: number): string | undefined {
  if (existsSync(join(directory, UNFINISHED))) rmSync(directory, { recursive: true });
  const shape = `${SHAPE} ${engine}`;
  const aside = isOfOtherShape(directory, shape) ? `${directory}-until-${now}` : undefined;
  if (aside !== undefined) renameSync(directory, aside);
  const isNew = !existsSync(join(directory, TABLE_FOLDER));
  mkdirSync(directory, { recursive: true });
  // The name of the table's file contains the access key.
  chmodSync(directory, 0o700);
  if (isNew) writeFileSync(join(directory, UNFINISHED), '');
  writeFileSync(join(directory, 'shape'), shape);
  return aside;
}

/** Folder of a data directory in which the engine stores the table. */
export const TABLE_FOLDER = 'dynamodb';

/** Marker file of a data directory until the first start has completed. */
const UNFINISHED = 'unfinished';

/** Marks the data as complete, so that later starts use them. */
export function finishDirectory(directory: string): void {
  rmSync(join(directory, UNFINISHED), { force: true });
}

/** Returns the access key of the data in a directory, generated at the first start. */
export function accessKeyIn(directory: string): string {
  const file = join(directory, 'access-key');
  if (!existsSync(file)) writeFileSync(file, newAccessKey(), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}

/** Generates an access key that can't be guessed. */
export function newAccessKey(): string {
  return randomBytes(16).toString('hex');
}

function isOfOtherShape(directory: string, shape: string): boolean {
  if (!existsSync(join(directory, TABLE_FOLDER))) return false;
  const file = join(directory, 'shape');
  return !existsSync(file) || readFileSync(file, 'utf8') !== shape;
}

/*
 * File by which other programs on this machine find the table of a running service. It contains the access
 * key, so only its owner may read it. Of two services in a directory the later one writes it.
 */

const DIRECTORY = join(process.cwd(), '.local');
const FILE = join(DIRECTORY, 'service.json');

type Settings = Readonly<Record<string, string>>;

/** Publishes the settings of this service to other programs; returns a function that withdraws them. */
export function announce(settings: Settings): () => void {
  const text = JSON.stringify(settings);
  mkdirSync(DIRECTORY, { recursive: true });
  // An existing file would keep its mode.
  rmSync(FILE, { force: true });
  writeFileSync(FILE, text, { mode: 0o600 });
  return () => {
    if (existsSync(FILE) && readFileSync(FILE, 'utf8') === text) rmSync(FILE);
  };
}

/** Finds the settings of the service that runs here. A killed service has left its file, but no table. */
export async function findAnnounced(): Promise<Settings | undefined> {
  if (!existsSync(FILE)) return undefined;
  const settings = z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(FILE, 'utf8')));
  const table = settings['AWS_ENDPOINT_URL_DYNAMODB'] ?? '';
  return fetch(table).then(
    () => settings,
    () => undefined,
  );
}
