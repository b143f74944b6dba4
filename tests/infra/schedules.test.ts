import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { expect, test } from 'vitest';
import { REFERENCE, UNSERVED } from '#infra/bundle/sources.ts';
import { RetailStack } from '#infra/retail-stack.ts';
import { discoverWorkers } from '#infra/routes.ts';
import { workerFunctionOf } from '#infra/worker-functions.ts';
import { resourcesOf } from './synthesis.ts';

test('a schedule has tariffs charged each day soon after midnight in TIME_ZONE (Decisions, 9 (55))', async () => {
  // Synthesis doesn't look into a bundle: any folder will do.
  const directory = join(import.meta.dirname, '../../events');
  const bundle = { directory, bytes: 0, isNative: false, usesTable: true };
  const workers = await Promise.all(discoverWorkers().map(workerFunctionOf));
  const bundles = new Map([UNSERVED, REFERENCE, ...workers.map(({ file }) => file)].map((n) => [n, bundle]));
  const stack = new RetailStack(new App({ context: { TIME_ZONE: 'Asia/Tashkent' } }), {
    routes: [],
    workers,
    bundles,
  });
  const schedules = resourcesOf(stack).filter(({ Type }) => Type === 'AWS::Scheduler::Schedule');
  expect(schedules).toHaveLength(workers.filter(({ every }) => every !== undefined).length);
  const daily = schedules.find(({ Properties }) => Properties['Description'].includes('charge-tariffs'));
  expect(daily?.Properties).toMatchObject({
    ScheduleExpression: 'cron(5 0 * * ? *)',
    ScheduleExpressionTimezone: 'Asia/Tashkent',
    State: 'ENABLED',
    Target: { Input: '{"at":"<aws.scheduler.scheduled-time>"}' },
  });
  expect(JSON.stringify(daily?.Properties['Target'])).toContain('chargetariffs');
}, 60_000);
