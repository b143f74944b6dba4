/** Tests under `tests/functions/` that change the process that they run in, and so have one each. */
export const ALONE: readonly string[] = [
  'tests/functions/workers/broadcast.test.ts',
  'tests/functions/workers/knock.test.ts',
  'tests/functions/workers/recover-journals.test.ts',
  'tests/functions/company/tariff/card-data.test.ts',
  'tests/functions/workers/watch-feed.test.ts',
];
