import { randomBytes, randomUUID } from 'node:crypto';
import { expect, inject, test } from 'vitest';
import { createTable } from '#bin/local/database/table.ts';
import { newAdministrator, PASSWORD } from '#tests/support/administrator.ts';
import { pathWithNpx } from '#tests/support/commands.ts';
import { newQueues, waitingIn } from '#tests/support/dead-letters.ts';
import { killAtEachCall } from '#tests/support/kill-program.ts';
import { serveLambda } from '#tests/support/lambda.ts';
import { filesIn, serveStage } from '#tests/support/removal.ts';
import { serveRestores } from '#tests/support/restores.ts';

/*
 * Programs that change something, killed after any of their calls and run again. They share nothing, and
 * mostly wait: so they run side by side.
 */

test.concurrent('deploy leaves all functions live and well, with the version that was well before', async () => {
  const username = await newAdministrator();
  const calls = await killAtEachCall('deploy', async () => {
    const { url, functions, state } = await serveLambda();
    // The second run deploys the same: no changes remain once the first has come so far.
    state.isChanged = () => state.updates === 1;
    const env = {
      PATH: pathWithNpx('exec curl -sf -X POST -o /dev/null $AWS_ENDPOINT_URL_LAMBDA/publish'),
      SMOKE_PASSWORD: PASSWORD,
      AWS_ENDPOINT_URL_LAMBDA: url,
      AWS_ENDPOINT_URL_CLOUDFORMATION: url,
    };
    const check = async () => {
      const own = [...functions].filter(([name]) => name.startsWith('retail-dev'));
      for (const [name, { versions, live, good, published }] of own) {
        expect([name, live, good]).toEqual([name, published, published]);
        expect(versions).toContain(name.includes('sale') ? 3 : name.includes('user') ? 5 : 1);
      }
    };
    return {
      args: ['--stage', 'dev', '--username', username, `--address=${inject('address')}`],
      env,
      check,
    };
  });
  expect(calls).toBeGreaterThan(5);
});

test.concurrent('restore leaves a whole table, set as it must be', async () => {
  const { url, recoverable, close } = await serveRestores();
  const source = `source-${randomUUID()}`;
  await createTable(inject('settings')['AWS_ENDPOINT_URL_DYNAMODB'] ?? '', source);
  const calls = await killAtEachCall('restore', async () => {
    const target = `restored-${randomUUID()}`;
    const check = async (_: string, after: string) => {
      expect(after).toContain('The books add up.');
      expect(recoverable.get(target)).toBe(true);
    };
    const at = '2026-11-21T10:00';
    const args = ['--stage', 'dev', '--table', source, '--at', at, '--as', target];
    return { args, env: { AWS_ENDPOINT_URL_DYNAMODB: url }, check };
  });
  close();
  expect(calls).toBeGreaterThan(2);
});

test.concurrent('redrive gives every message back, though one may come twice', async () => {
  const calls = await killAtEachCall('redrive', async () => {
    const stage = `s${randomBytes(4).toString('hex')}`;
    const { queue, deadLetters } = await newQueues(stage, 'copyunit', ['1', '2']);
    const check = async () => {
      expect(new Set(await waitingIn(queue))).toEqual(new Set(['1', '2']));
      expect(await waitingIn(deadLetters)).toEqual([]);
    };
    return { args: ['--stage', stage, '--worker', 'copy-unit'], check };
  });
  expect(calls).toBeGreaterThan(4);
});

test.concurrent('remove leaves nothing, and tells what remains', async () => {
  const calls = await killAtEachCall('remove', async () => {
    const { buckets, env, fill } = await serveStage();
    await fill();
    const check = async (_: string, after: string) => {
      expect((await Promise.all(buckets.map(filesIn))).flat()).toEqual([]);
      expect(after).toContain('Remains: AWS::KMS::Key key-1');
    };
    return { args: ['--stage', 'dev', '--yes', 'dev'], env, check };
  });
  expect(calls).toBeGreaterThan(2);
});

test.concurrent('smoke leaves nothing on the shelves and nothing in the desk', async () => {
  const calls = await killAtEachCall('smoke', async () => {
    const args = ['--address', inject('address'), '--username', await newAdministrator()];
    const check = async (_: string, after: string) => {
      expect(after).toContain('All is well; the sandbox has nothing on its shelves and nothing in its desk.');
    };
    return { args, env: { SMOKE_PASSWORD: PASSWORD }, check };
  });
  expect(calls).toBeGreaterThan(12);
});
