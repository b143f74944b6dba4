import { join } from 'node:path';
import { openApiOf } from '#infra/reference/document.ts';
import { discoverRoutes } from '#infra/routes.ts';

const ROOT = join(import.meta.dirname, '../..');

/** The reference of the current code, as committed. */
export const DOCUMENT_FILE = join(ROOT, 'openapi.json');

/** The contract of the last release, for which clients are written. */
export const RELEASED_FILE = join(ROOT, 'bin/openapi/released.json');

export const CHANGELOG_FILE = join(ROOT, 'CHANGELOG.md');

/** Serializes the reference of the service at an address. */
export async function serializeReference(address?: string): Promise<string> {
  return JSON.stringify(openApiOf(await discoverRoutes(), address), null, 1);
}

/** Writes the reference of the current code without its examples, which tests record again. */
export async function writeDocument(): Promise<string> {
  return `${JSON.stringify(openApiOf(await discoverRoutes()), leaveOutExample, 1)}\n`;
}

function leaveOutExample(this: object, key: string, value: unknown): unknown {
  return key === 'example' && 'schema' in this ? undefined : value;
}
