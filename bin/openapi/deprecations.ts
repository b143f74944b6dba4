import { type Day, daysBetween } from '#lib/values/time.ts';
import type { ApiContract, Operation } from './contract.ts';

/** Days between a deprecation and the removal. Part 5, 5B.13, 3. */
const NOTICE_DAYS = 180;

/** Lists the deprecated operations of a contract as entries of the changelog, a sentence each. */
export function deprecationEntries(contract: ApiContract): readonly string[] {
  return operationsOf(contract).flatMap(([name, { 'x-deprecated': deprecated }]) =>
    deprecated ? [`\`${name}\` is deprecated since ${deprecated.since}, until ${deprecated.until}`] : [],
  );
}

/** Lists the deprecated operations that would go before their callers had time. */
export function shortNotices(contract: ApiContract): readonly string[] {
  return operationsOf(contract).flatMap(([name, { 'x-deprecated': deprecated }]) =>
    deprecated && daysBetween(deprecated.since, deprecated.until) < NOTICE_DAYS ? [name] : [],
  );
}

/**
 * Lists the operations of the last release that are gone on a day without having been deprecated in it up to
 * then.
 */
export function earlyRemovals(before: ApiContract, after: ApiContract, today: Day): readonly string[] {
  const served = new Set(operationsOf(after).map(([name]) => name));
  return operationsOf(before).flatMap(([name, { 'x-deprecated': deprecated }]) => {
    const mayGo = deprecated !== undefined && deprecated.until <= today;
    return served.has(name) || mayGo ? [] : [name];
  });
}

/** Lists the entries that a changelog has in none of its sections. */
export function missingEntries(changelog: string, entries: readonly string[]): readonly string[] {
  const found = changelog.split(/^- /m).map((entry) => entry.replaceAll(/\s+/g, ' ').trim());
  return entries.filter((entry) => !found.some((each) => each === entry || each.startsWith(`${entry}:`)));
}

/**
 * Returns whether a version may follow another: with breaking changes its first number rises, or the second
 * below 1.0.0; else any later one.
 */
export function isNextVersion(before: string, after: string, isBreaking: boolean): boolean {
  const [major = 0, minor = 0, patch = 0] = before.split('.').map(Number);
  const [nextMajor = 0, nextMinor = 0, nextPatch = 0] = after.split('.').map(Number);
  if (nextMajor !== major) return nextMajor > major;
  if (isBreaking && major > 0) return false;
  if (nextMinor !== minor) return nextMinor > minor;
  return !isBreaking && nextPatch > patch;
}

function operationsOf({ paths }: ApiContract): readonly (readonly [string, Operation])[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
}
