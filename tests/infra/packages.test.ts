import { expect, inject, test } from 'vitest';
import type { FunctionBundle } from '#infra/bundle/bundle-functions.ts';
import { NOT_FOUND_BUNDLE, REFERENCE } from '#infra/bundle/sources.ts';
import manifest from '../../package.json' with { type: 'json' };

/*
 * Every start of a function loads all of its `index.mjs`. So the packages in it are listed here; those that
 * only some calls need come by `await import()` at their first use.
 */

type Named = readonly [name: string, bundle: FunctionBundle];

/** Packages that may load at start, and the bundles that load them. All others require `import()`. */
const AT_START: Readonly<Record<string, (each: Named) => boolean>> = {
  '@aws-sdk/client-dynamodb': reachesTable,
  '@aws-sdk/lib-dynamodb': reachesTable,
  '@smithy/node-http-handler': reachesTable,
  '@middy/core': isRoute,
  '@middy/http-json-body-parser': answersCalls,
  jose: isRoute,
  zod: () => true,
};

/** The largest are those of sales, of 500 KB. Raise it in a commit that gives the reason. */
const MAX_KILOBYTES = 550;

test('a start loads no package but those that are named for its bundle', () => {
  const found = inject('bundles').flatMap((each) => {
    const [name, { packages }] = each;
    const direct = packages.filter((of) => of in manifest.dependencies);
    return direct.filter((of) => !AT_START[of]?.(each)).map((of) => `${name}: ${of}`);
  });
  expect(found).toEqual([]);
});

test('every package that is named is loaded by some start', () => {
  const loaded = new Set(inject('bundles').flatMap(([, { packages }]) => packages));
  expect(Object.keys(AT_START).filter((name) => !loaded.has(name))).toEqual([]);
});

test(`no bundle is over ${MAX_KILOBYTES} KB`, () => {
  const larger = inject('bundles').filter(([, { bytes }]) => bytes > MAX_KILOBYTES * 1024);
  expect(larger.map(([name, { bytes }]) => `${name}: ${bytes}`)).toEqual([]);
});

function reachesTable([, { usesTable }]: Named): boolean {
  return usesTable;
}

function isRoute(each: Named): boolean {
  return answersCalls(each) && ![NOT_FOUND_BUNDLE, REFERENCE].includes(each[0]);
}

function answersCalls([name]: Named): boolean {
  return !/^(?:workers|streams)\//.test(name);
}
