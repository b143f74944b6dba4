import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';

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
