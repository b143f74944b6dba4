/**
 * Tests that measure the process that they run in, or need modules that nobody has used yet, and so have one
 * each. What others change of theirs, `settings.ts` puts back after each file.
 */
export const ALONE: readonly string[] = [
  'tests/lib/access/secrets.test.ts',
  'tests/lib/files/workbook.test.ts',
  'tests/lib/http/absent-database.test.ts',
  'tests/lib/table/read/walk.test.ts',
];
