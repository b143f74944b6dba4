import { expect, test } from 'vitest';
import { chooseEngine } from '#bin/local/database/engine.ts';

const BINARY = '/modules/@dynoxide/linux-x64/dynoxide';

test('the table is served by Dynoxide where it is installed, else by DynamoDB Local', () => {
  expect(chooseEngine('', BINARY).command(8000, undefined)).toEqual([
    BINARY,
    ...['serve', '--host', '127.0.0.1', '--port', '8000'],
  ]);
  expect(chooseEngine('', BINARY).command(8000, '/data')).toContain('/data/table.db');
  expect(chooseEngine('', null).name).toBe('dynamodb-local');
});

test('TABLE_ENGINE overrides the choice', () => {
  expect(chooseEngine('dynamodb-local', BINARY).command(8000, undefined)).toContain('-inMemory');
  expect(chooseEngine('dynamodb-local', null).command(8000, '/data')).toContain('/data');
  expect(chooseEngine('dynoxide', BINARY).name).toBe('dynoxide');
});

test('one sentence says what TABLE_ENGINE can be, and how Dynoxide is installed', () => {
  expect(() => chooseEngine('sqlite', BINARY)).toThrow(
    'TABLE_ENGINE is sqlite; it can be dynoxide or dynamodb-local.',
  );
  expect(() => chooseEngine('dynoxide', null)).toThrow(
    /^Dynoxide is not installed\. Run npm install @dynoxide/,
  );
});
