import * as z from 'zod';
import { LINK_SECONDS, MAX_INLINE_FILE_BYTES, presignLink } from '#lib/files/links.ts';
import { describeFile, readFile } from '#lib/files/storage.ts';
import { type ApiError, badRequest } from '#lib/values/api-error.ts';
import { requireEnv } from '#lib/values/env.ts';

/**
 * A file by its path inside the public catalogue, or by its full address. Part 1, "Shared helper methods".
 */
export const PublicFilePath = z.strictObject({
  path: z.string().min(1, { error: 'validation.required' }).max(255),
});

const MAX_MEGABYTES = 100;

const CATALOGUE = 'public/';

// Stored files have keys of these characters only. No part of a key begins with a dot, so none leads upwards.
const KEY = /^public(\/[A-Za-z0-9_-][A-Za-z0-9._-]*)+$/;

/**
 * Reads a public file, or returns a link to one too large for a response. 400 for a path that leaves the
 * public catalogue, however it is spelled, for a missing file and for one over 100 MB.
 */
export async function publicFile({ path }: z.output<typeof PublicFilePath>) {
  const key = keyAt(path);
  const description = await describeFile(key);
  if (!description) throw notPublic();
  if (description.bytes > MAX_MEGABYTES * 1024 * 1024) {
    throw badRequest('file.too_large_to_give', { max: MAX_MEGABYTES });
  }
  const filename = key.slice(key.lastIndexOf('/') + 1);
  if (description.bytes > MAX_INLINE_FILE_BYTES)
    return { location: await presignLink(key, filename, LINK_SECONDS) };
  const file = await readFile(key);
  if (!file) throw notPublic();
  return { filename, type: file.type, content: Uint8Array.from(file.content) };
}

function keyAt(path: string): string {
  const base = `${requireEnv('ADDRESS')}/`;
  const isAddress = path.startsWith(base);
  const given = isAddress ? path.slice(base.length) : path;
  const key = isAddress || given.startsWith(CATALOGUE) ? given : `${CATALOGUE}${given}`;
  if (!KEY.test(key)) throw notPublic();
  return key;
}

function notPublic(): ApiError {
  return badRequest('file.not_public');
}
