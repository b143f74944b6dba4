import { expect, test } from 'vitest';
import { all, assemble, stacksOf } from './synthesis.ts';

test('a schedule has tariffs charged each day soon after midnight in TIME_ZONE (Contract 9.55)', async () => {
  const { stack, workers } = await assemble({ TIME_ZONE: 'Asia/Tashkent' });
  const [main] = stacksOf(stack);
  const schedules = all(main?.resources ?? [], 'AWS::Scheduler::Schedule');
  expect(schedules).toHaveLength(workers.filter(({ every }) => every !== undefined).length);
  const daily = schedules.find(({ Properties }) => Properties['Description'].includes('charge-tariffs'));
  expect(daily?.Properties).toMatchObject({
    ScheduleExpression: 'cron(5 0 * * ? *)',
    ScheduleExpressionTimezone: 'Asia/Tashkent',
    State: 'ENABLED',
    Target: { Input: '{"at":"<aws.scheduler.scheduled-time>"}' },
  });
  expect(JSON.stringify(daily?.Properties['Target'])).toContain('chargetariffs');
});
