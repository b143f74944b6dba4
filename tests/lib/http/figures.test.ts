import type { SQSEvent } from 'aws-lambda';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/response.ts';
import { worker } from '#lib/http/worker.ts';
import { recordConflict, recordRecovery } from '#lib/table/request-context.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { newEvent } from '#tests/support/event.ts';

let lines: string[];

beforeEach(() => {
  lines = [];
  vi.stubEnv('STAGE', 'production');
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => lines.push(String(text)) > 0);
});

afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const logged = () => lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));

/** Finds the metrics that CloudWatch extracts from a line, by its embedded metric format. */
const metricsIn = (line: z.output<typeof Marked>) =>
  line._aws.CloudWatchMetrics.flatMap(({ Namespace, Dimensions: [dimensions = []], Metrics }) =>
    Metrics.map(({ Name, Unit }) => ({
      name: `${Namespace}/${Name}`,
      by: dimensions.map((dimension) => line[dimension]),
      value: line[Name],
      unit: Unit,
    })),
  );

const Marked = z.looseObject({
  _aws: z.object({
    Timestamp: z.int(),
    CloudWatchMetrics: z.array(
      z.object({
        Namespace: z.string(),
        Dimensions: z.array(z.array(z.string())),
        Metrics: z.array(z.object({ Name: z.string(), Unit: z.string() })),
      }),
    ),
  }),
});

test('an operation that is done is counted by its figure, and what was tried again too', async () => {
  const selling = endpoint({ right: 'anyone', figure: 'sales', response: Confirmation, run: recordConflict });
  const [event, context] = newEvent();
  await selling(event, context);
  const [line] = logged().map((each) => Marked.parse(each));
  expect(line?._aws.Timestamp).toBe(event.requestContext.timeEpoch);
  expect(line && metricsIn(line)).toEqual([
    { name: 'Retail/sales', by: ['production'], value: 1, unit: 'Count' },
    { name: 'Retail/conflicts', by: ['production'], value: 1, unit: 'Count' },
  ]);
});

test('a refusal is counted by its code, and is no sale', async () => {
  const refusing = endpoint({
    right: 'anyone',
    figure: 'sales',
    response: Confirmation,
    run: () => {
      throw badRequest('user.protected');
    },
  });
  await refusing(...newEvent());
  const [line] = logged().map((each) => Marked.parse(each));
  expect(line && metricsIn(line)).toEqual([
    { name: 'Retail/refusals', by: ['production', 'user.protected'], value: 1, unit: 'Count' },
  ]);
});

test('a worker tells how late it was, and how many transactions it has recovered', async () => {
  const recovering = worker({ message: z.object({}), run: async () => recordRecovery() });
  const sent = String(Date.now() - 5000);
  const record = {
    body: '{}',
    attributes: { SentTimestamp: sent },
    eventSourceARN: 'arn:aws:sqs:x:1:recover',
  };
  const event = z.custom<SQSEvent>().parse({ Records: [record, record] });
  await recovering(event, { getRemainingTimeInMillis: () => 1000 });
  const [line] = logged().map((each) => Marked.parse(each));
  expect(line).toMatchObject({ message: 'worked', worker: 'recover' });
  expect(line && metricsIn(line)).toMatchObject([
    { name: 'Retail/messages', value: 2 },
    { name: 'Retail/recovered', value: 2 },
    { name: 'Retail/worker_lag', value: expect.toSatisfy((lag) => lag >= 5000), unit: 'Milliseconds' },
  ]);
});

test('without a stage, as on a machine of one’s own, nothing is marked', async () => {
  vi.stubEnv('STAGE', undefined);
  const selling = endpoint({ right: 'anyone', figure: 'sales', response: Confirmation, run: recordConflict });
  await selling(...newEvent());
  expect(logged()).toEqual([expect.not.objectContaining({ _aws: expect.anything() })]);
});
