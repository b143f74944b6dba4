import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { breakingChanges } from '#bin/openapi/breaking.ts';
import { ApiContract } from '#bin/openapi/contract.ts';
import {
  deprecationEntries,
  earlyRemovals,
  isNextVersion,
  missingEntries,
  shortNotices,
} from '#bin/openapi/deprecations.ts';
import { CHANGELOG_FILE, RELEASED_FILE, writeDocument } from '#bin/openapi/document.ts';
import { dayOf } from '#lib/values/time.ts';

/* Nothing is removed without 180 days in the changelog. Part 5, 5B.13, 3. */

const changelog = readFileSync(CHANGELOG_FILE, 'utf8');
const released = ApiContract.parse(JSON.parse(readFileSync(RELEASED_FILE, 'utf8')));
const served = ApiContract.parse(JSON.parse(await writeDocument()));

/** Builds a contract of one operation, deprecated from and until these days. */
function contractWith(deprecated?: { readonly since: string; readonly until: string }): ApiContract {
  const get = { operationId: 'rack', responses: {}, ...(deprecated && { 'x-deprecated': deprecated }) };
  return ApiContract.parse({ info: { version: '1.0.0' }, paths: { '/rack': { get } }, components: {} });
}

const days = { since: '2026-12-01', until: '2027-05-30' };
const none = { ...contractWith(), paths: {} };

test('a deprecated operation has its entry in the changelog (Part 5, 5B.13 (3))', () => {
  expect(missingEntries(changelog, deprecationEntries(served))).toEqual([]);
  const entries = deprecationEntries(contractWith(days));
  expect(entries).toEqual(['`GET /rack` is deprecated since 2026-12-01, until 2027-05-30']);
  expect(missingEntries('## 1.2.0\n\n- Racks.\n', entries)).toEqual(entries);
  const told =
    '## Unreleased\n\n## 1.2.0\n\n- `GET /rack` is deprecated since 2026-12-01,\n  until 2027-05-30: use';
  expect(missingEntries(told, entries)).toEqual([]);
});

test('a deprecated operation is served for 180 days at least (Part 5, 5B.13 (3))', () => {
  expect(shortNotices(served)).toEqual([]);
  expect(shortNotices(contractWith(days))).toEqual([]);
  expect(shortNotices(contractWith({ ...days, until: '2027-05-29' }))).toEqual(['GET /rack']);
});

test('an operation goes once its last release has told so until its day (Part 5, 5B.13 (3))', () => {
  expect(earlyRemovals(released, served, dayOf(Date.now()))).toEqual([]);
  expect(earlyRemovals(contractWith(), none, '2030-01-01')).toEqual(['GET /rack']);
  expect(earlyRemovals(contractWith(days), none, '2027-05-29')).toEqual(['GET /rack']);
  expect(earlyRemovals(contractWith(days), none, '2027-05-30')).toEqual([]);
  expect(earlyRemovals(contractWith(), contractWith(), '2026-12-01')).toEqual([]);
});

test('info.version follows the promise: what breaks raises the first number, below 1.0.0 the second (Part 5, 5B.13 (3))', () => {
  const { version } = served.info;
  const isBreaking = breakingChanges(released, served).length > 0;
  // The version is set with the release.
  const isFit =
    version === released.info.version || isNextVersion(released.info.version, version, isBreaking);
  expect(isFit).toBe(true);
  const fits = (before: string, after: string) =>
    [false, true].map((each) => isNextVersion(before, after, each));
  expect(fits('1.2.3', '1.2.4')).toEqual([true, false]);
  expect(fits('1.2.3', '1.3.0')).toEqual([true, false]);
  expect(fits('1.2.3', '2.0.0')).toEqual([true, true]);
  expect(fits('0.1.0', '0.1.1')).toEqual([true, false]);
  expect(fits('0.1.0', '0.2.0')).toEqual([true, true]);
  expect(fits('1.2.3', '1.2.3')).toEqual([false, false]);
  expect(fits('1.2.3', '1.1.9')).toEqual([false, false]);
});
