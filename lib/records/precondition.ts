import type { WriteCondition } from '#lib/table/change/write.ts';
import { absent, any, equals, present } from '#lib/table/expression.ts';
import { requestContext } from '#lib/table/request-context.ts';
import { ApiError } from '#lib/values/api-error.ts';

/**
 * Requires the version of `If-Match` of the record that a call changes: 412 otherwise. The later write is
 * guarded by the version checked here, so no change comes between.
 */
export function requireVersion({ version }: { readonly version: number }): void {
  const tags = ifMatchTags();
  if (!tags || tags.includes('*') || tags.includes(etagOf(version))) return;
  throw versionChanged();
}

/**
 * Returns the guard of a write that replaces an item without reading it, or that has concurrent additions;
 * undefined without `If-Match`. A missing item has version 0.
 */
export function versionCondition(): WriteCondition | undefined {
  const tags = ifMatchTags();
  if (!tags) return undefined;
  const versions = tags.map((tag) => Number(/^"(\d+)"$/.exec(tag)?.[1] ?? -1));
  const isOneOf = versions.map((version) => (version === 0 ? absent('pk') : equals('version', version)));
  return { if: tags.includes('*') ? present('pk') : any(isOneOf), otherwise: versionChanged() };
}

/** Returns the `ETag` of a version. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/**
 * Returns the tags of the call's `If-Match`; undefined without one. Compared weakly, as compression in
 * transit makes a tag weak. Contract 1, "Concurrent edits".
 */
function ifMatchTags(): string[] | undefined {
  return requestContext()
    .ifMatch?.split(',')
    .map((tag) => tag.trim().replace(/^W\//, ''));
}

function versionChanged(): ApiError {
  return new ApiError(412, { key: 'http.version_changed' });
}
