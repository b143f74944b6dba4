import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { freePort, startDatabase } from '#bin/local/database/database.ts';
import { chooseEngine, type EngineName } from '#bin/local/database/engine.ts';
import { createTable } from '#bin/local/database/table.ts';
import { actionOf } from '#lib/table/change/change.ts';
import { tableName } from '#lib/table/client.ts';
import { absent } from '#lib/table/expression.ts';
import { padId } from '#lib/table/keys.ts';
import { clientOf, ENGINES } from '#tests/support/engines.ts';

/* Durability of the data of `npm start`, when its engine is killed in the middle of its writes. */

/** Java takes seconds to start. */
const KILLS: Readonly<Record<EngineName, number>> = { dynoxide: 3, 'dynamodb-local': 1 };

/** DynamoDB Local answers before it has written: it was seen to lose the last answered transaction. */
const KEEPS_THE_LATEST: Readonly<Record<EngineName, boolean>> = { dynoxide: true, 'dynamodb-local': false };

const WRITERS = 4;
const WRITES = 100;

const directory = mkdtempSync(join(tmpdir(), 'engine-'));

afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Numbers of the writes begun so far, and of those that were answered. */
interface Written {
  readonly pk: string;
  readonly begun: number[];
  readonly answered: number[];
}

describe.each(ENGINES)('$name', ({ name, missing }) => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  const data = join(directory, name);

  /** Starts the engine by itself, has many write, and kills it while they do. */
  async function writeUntilKilled(): Promise<Written> {
    const engine = chooseEngine(name);
    const port = await freePort();
    const [program, ...args] = engine.command(port, data);
    const child = spawn(program, args, { stdio: 'ignore', ...(engine.cwd && { cwd: engine.cwd }) });
    const ended = once(child, 'exit');
    const endpoint = `http://127.0.0.1:${port}`;
    await createTable(endpoint, tableName());
    const written = { pk: `test#${randomUUID()}`, begun: [], answered: [] };
    const writing = Array.from({ length: WRITERS }, () =>
      write(endpoint, written, () => child.kill('SIGKILL')),
    );
    await Promise.all(writing);
    await ended;
    return written;
  }

  test('what was answered is there after a kill, and each transaction whole or not at all', async () => {
    const all: Written[] = [];
    mkdirSync(data);
    for (let kill = 0; kill < KILLS[name]; kill++) all.push(await writeUntilKilled());
    const { endpoint, stop } = await startDatabase(chooseEngine(name), tableName(), data);
    for (const written of all) await expectKept(name, endpoint, written);
    await stop();
  });
});

/** Writes pairs and single items in turn until the engine is gone; the last answer waited for ends it. */
async function write(endpoint: string, { pk, begun, answered }: Written, kill: () => void): Promise<void> {
  const { put, transact } = clientOf(endpoint);
  for (;;) {
    const id = begun.push(begun.length);
    const one = { pk, sk: `${padId(id)}-one` };
    const pair = [one, { pk, sk: `${padId(id)}-two` }];
    const puts = () => pair.map((key) => actionOf(key, { kind: 'put', item: { id } }, [absent('pk')]));
    try {
      await (isPair(id) ? transact(puts()) : put(one, { id }));
    } catch {
      return;
    }
    answered.push(id);
    if (answered.length === WRITES) kill();
  }
}

async function expectKept(name: EngineName, endpoint: string, written: Written): Promise<void> {
  const { pk, begun, answered } = written;
  const kept = await keysOf(endpoint, pk);
  const isThere = (id: number, half: string) => kept.has(`${padId(id)}-${half}`);
  const isTorn = (id: number) => isPair(id) && isThere(id, 'one') !== isThere(id, 'two');
  const keepsAll = KEEPS_THE_LATEST[name];
  const judged = keepsAll ? begun.map((index) => index + 1) : answered.slice(0, WRITES / 2);
  const expected = keepsAll ? answered : judged;
  expect(answered.length).toBeGreaterThanOrEqual(WRITES);
  expect(expected.filter((id) => !isThere(id, 'one'))).toEqual([]);
  expect(judged.filter(isTorn)).toEqual([]);
}

async function keysOf(endpoint: string, pk: string): Promise<Set<unknown>> {
  const { client } = clientOf(endpoint);
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: tableName(),
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    }),
  );
  return new Set(Items.map(({ sk }) => sk));
}

/** Returns whether a write is a transaction of two items. */
function isPair(id: number): boolean {
  return id % 2 === 0;
}
