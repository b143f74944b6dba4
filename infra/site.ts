import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { StaticFiles } from '#lib/http/static-site.ts';

/** Files of a site with their gzipped contents. */
export interface Site {
  readonly files: StaticFiles;
  readonly contents: ReadonlyMap<string, Uint8Array>;
}

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  png: 'image/png',
};

/** Makes a site of its files. */
export function siteOf(parts: readonly (Part | ReturnType<typeof nameAddress>)[]): Site {
  return {
    files: Object.fromEntries(parts.map(({ path, file }) => [path, file])),
    contents: new Map(parts.map(({ file, content }) => [file.name, gzipSync(content)])),
  };
}

type Part = ReturnType<typeof part>;

/** Marks a file that contains the address of the service. */
export function nameAddress(each: Part) {
  return { ...each, file: { ...each.file, isAddressed: true as const } };
}

/** Makes a file of a site, by the path that it is served at. */
export function part(path: string, kind: keyof typeof TYPES, content: string | Uint8Array) {
  const tag = createHash('sha256').update(content).digest('base64url').slice(0, 16);
  return { path, content, file: { name: path.slice(1).replace('/', '.'), type: TYPES[kind], tag } };
}

/** Replaces `{path}` in a page by the versioned address of each file. */
export function addVersions(page: string, parts: readonly Part[]): string {
  return parts.reduce((text, { path, file }) => text.replace(`{${path}}`, `${path}?v=${file.tag}`), page);
}
