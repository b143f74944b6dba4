/*
 * Which command runs a test, and what it needs beside it. `npm test` judges a change of code: rules, and
 * calls over HTTP. A file is in one tier; those named nowhere here are in that of `npm test`.
 */

/** Conventions of the repository, which read its text: `npm run check`. */
export const CONVENTIONS = 'tests/conventions/**/*.test.ts';

/**
 * Kills at every call, lost answers and random days take minutes: `npm run test:crash`. Their time limit only
 * ends what hangs: a test cut off goes on killing beside the next one.
 */
export const CRASHES = 'tests/**/*.crash.test.ts';

/** What would be deployed; it needs no service that runs: `npm run test:infra`. */
export const INFRA = 'tests/infra/**/*.test.ts';

/**
 * Programs, benches, pages in a browser, documents in LibreOffice, and what both engines of the local table
 * do: `npm run test:tools`.
 */
export const TOOLS: readonly string[] = [
  'tests/bin/**/*.test.ts',
  'tests/bench/**/*.test.ts',
  'tests/functions/browser-till.test.ts',
  'tests/functions/company/product/product-export-office.test.ts',
  'tests/functions/company/trade/pages-on-paper.test.ts',
  'tests/functions/company/trade/sale-forms.test.ts',
  'tests/functions/reference-begin.test.ts',
  'tests/functions/reference-sync.test.ts',
  'tests/functions/reference-examples.test.ts',
  'tests/functions/reference-page.test.ts',
  'tests/functions/reference-till.test.ts',
  'tests/functions/reference-webhooks.test.ts',
  'tests/functions/reference-whole.test.ts',
  'tests/lib/files/sheet-writer.test.ts',
  'tests/lib/table/engine/**/*.test.ts',
];

/**
 * The table, its transactions, journals, faults and units, once more on DynamoDB Local: `npm run
 * test:engine`. All tests run on the engine that `bin/local/database/engine.ts` chooses.
 */
export const ENGINE: readonly string[] = [
  'tests/lib/table/**/*.test.ts',
  'tests/lib/trade/checkout/units.test.ts',
  'tests/lib/trade/goods.crash.test.ts',
];

/**
 * Tests that measure the process that they run in, or need modules that nobody has used yet, and so have one
 * each. What others change of theirs, `settings.ts` puts back after each file.
 */
export const ISOLATED: readonly string[] = [
  'tests/lib/auth/secrets.test.ts',
  'tests/lib/files/workbook.test.ts',
  'tests/lib/http/absent-database.test.ts',
  'tests/lib/http/first-call.test.ts',
  'tests/lib/table/read/walk.test.ts',
];

/** Tests that wait for what the table's stream tells: they have a service whose table has one. */
export const WITH_STREAM: readonly string[] = [
  'tests/functions/reference-events.test.ts',
  'tests/functions/company/product/product-prices.test.ts',
  'tests/functions/company/sync/delay.test.ts',
  'tests/functions/company/sync/news.test.ts',
  'tests/functions/company/user/activity.test.ts',
  'tests/functions/streams/follow-changes.test.ts',
  'tests/lib/platform/notices.test.ts',
  'tests/lib/trade/refused/remind.test.ts',
];

/** Tests of templates of the platform: what these make comes to every family, so their service is another. */
export const TEMPLATES = 'tests/functions/admin/product/**/*.test.ts';
