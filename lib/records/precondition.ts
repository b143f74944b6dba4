import type { WriteCondition } from '#lib/table/change/write.ts';
import { absent, any, equals, present } from '#lib/table/expression.ts';
import { requestContext } from '#lib/table/request-context.ts';
import { ApiError } from '#lib/values/api-error.ts';

/**
 * Requires the record that a call changes to be as its caller has seen it: 412 if not. Whoever replaces the
 * record guards it by the version that was looked at here, so nothing comes between.
 */
export function requireVersion({ version }: { readonly version: number }): void {
  const tags = ifMatchTags();
  if (!tags || tags.includes('*') || tags.includes(etagOf(version))) return;
  throw versionChanged();
}

/**
 * Makes the guard of a write of something that is replaced without having been read, or that others add to
 * at the same time; undefined if the caller named no version. What is not there yet has version 0.
 */
export function versionCondition(): WriteCondition | undefined {
  const tags = ifMatchTags();
  if (!tags) return undefined;
  const versions = tags.map((tag) => Number(/^"(\d+)"$/.exec(tag)?.[1] ?? -1));
  const isOneOf = versions.map((version) => (version === 0 ? absent('pk') : equals('version', version)));
  return { if: tags.includes('*') ? present('pk') : any(isOneOf), otherwise: versionChanged() };
}

/** Makes the tag of a version, as `ETag` gives it. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Reads the tags of the call's `If-Match`; undefined if it names none. They are compared weakly, as what
 * compresses an answer on its way makes its tag weak. Contract 1, "Concurrent edits".
 */
function ifMatchTags(): string[] | undefined {
  return requestContext()
    .ifMatch?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
}

function versionChanged(): ApiError {
  return new ApiError(412, { key: 'http.version_changed' });
}
