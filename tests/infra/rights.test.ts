import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { CALLS } from '#tests/service.ts';
import {
  denied,
  RecordedCall,
  type RoleBearer,
  roleBearers,
  type Statement,
  silent,
  unneeded,
} from './rights.ts';
import { synthesize } from './synthesis.ts';

/** Functions without AWS calls: one refuses, one serves its own files, one calls our address. */
const SILENT = ['Answers 404', 'Serves the reference: /docs and /openapi.json', 'worker knock'];

/** Calls that no test makes over HTTP, and why. */
const UNRECORDED: readonly RecordedCall[] = [
  // The caller's browser makes it, with the URL signed by the function.
  {
    function: 'POST /common/public/upload-form',
    action: 's3:PutObject',
    resource: 'retail-files/incoming/file',
  },
  // Workbooks of more than 4 MB: tests give them away without a call.
  ...['s3:PutObject', 's3:GetObject'].map((action) => ({
    function: 'GET /company/cashbox/operation',
    action,
    resource: 'retail-files/exports/file',
  })),
];

let calls: RecordedCall[];
let bearers: RoleBearer[];

beforeAll(async () => {
  if (!existsSync(CALLS))
    throw new Error(
      'Nobody has recorded what functions call: run the whole `npm test` and `npm run test:tools` first',
    );
  const lines = readFileSync(CALLS, 'utf8').trimEnd().split('\n');
  calls = [...lines.map((line) => RecordedCall.parse(JSON.parse(line))), ...UNRECORDED];
  bearers = roleBearers(await synthesize());
});

test('every function and worker has called something under the tests, but those that have nothing to call', () => {
  expect(silent(bearers, calls)).toEqual(SILENT);
});

test('every call of a function is allowed to its role', async () => {
  expect(await denied(bearers, calls)).toEqual([]);
});

test('no role allows an action on a resource that no call of its kind needs', async () => {
  expect(await unneeded(bearers, calls)).toEqual([]);
});

describe('a policy made wrong on purpose is caught:', () => {
  const withStatements = (change: (statement: Statement) => Statement) =>
    bearers.map((bearer) => ({ ...bearer, statements: bearer.statements.map(change) }));
  const without = (action: string) =>
    withStatements((statement) => ({
      ...statement,
      Action: statement.Action.filter((each) => each !== action),
    }));
  const moved = (from: string, to: string) =>
    withStatements((statement) => ({
      ...statement,
      Resource: statement.Resource.map((each) => each.replace(from, to)),
    }));

  test('each action that is left out', async () => {
    const actions = new Set(bearers.flatMap(({ statements }) => statements.flatMap(({ Action }) => Action)));
    expect(actions.size).toBeGreaterThan(12);
    for (const action of actions) {
      const told = await denied(without(action), calls);
      expect(told).not.toEqual([]);
      expect(told.filter((line) => !line.includes(`: ${action} on `))).toEqual([]);
    }
  });

  test.each([
    ['another table', 'table/retail', 'table/other', 'dynamodb:'],
    ['another key', 'key/SecretsKey', 'key/other', 'kms:'],
    ['another log', 'log-group:Log', 'log-group:other', 'logs:'],
    ['another folder of the bucket', '/public/*', '/exports/*', 's3:'],
    ['another bucket', ':::retail-files', ':::other-files', 's3:'],
    ['another queue', ':indexlists', ':indexlistsdeadletters', 'sqs:'],
  ])('%s', async (_, from, to, service) => {
    const told = await denied(moved(from, to), calls);
    expect(told).not.toEqual([]);
    expect(told.filter((line) => !line.includes(`: ${service}`))).toEqual([]);
  });

  test('the role of one that reads for one that writes, and none of its functions is left out', async () => {
    const reads = bearers.find(({ role }) => role === 'Rolesreads');
    const swapped = bearers.map((each) =>
      each.role === 'Roleswrites' ? { ...each, statements: reads?.statements ?? [] } : each,
    );
    const told = await denied(swapped, calls);
    expect(told).toContainEqual(
      expect.stringContaining('POST /company/trade/sale (Roleswrites): dynamodb:PutItem'),
    );
  });

  test.each(['dynamodb:Scan', 'dynamodb:GetItem', 's3:DeleteObject', 'sqs:PurgeQueue'])(
    '%s, which nobody needs',
    async (action) => {
      const [service = ''] = action.split(':');
      const wider = withStatements((statement) =>
        statement.Action.some((each) => each.startsWith(service)) && !statement.Action.includes(action)
          ? { ...statement, Action: [...statement.Action, action] }
          : statement,
      );
      expect(await unneeded(wider, calls)).toContainEqual(expect.stringContaining(`${action} on `));
    },
  );

  test('a call of a function that is not deployed, and a function that nobody has called', async () => {
    const stray = { function: 'GET /nowhere', action: 'dynamodb:Query', resource: 'retail' };
    expect(await denied(bearers, [stray])).toEqual(['GET /nowhere (undefined): dynamodb:Query on retail']);
    const sales = calls.filter((call) => call.function !== 'POST /company/trade/sale');
    expect(silent(bearers, sales)).toContain('POST /company/trade/sale');
  });
});
