import { readFile } from 'node:fs/promises';
import type { APIGatewayProxyEventV2, DynamoDBRecord, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { discoverRoutes, discoverWorkers, FOLLOWER } from '#infra/routes.ts';
import { loadFollower, loadWorker } from '#infra/worker-functions.ts';
import { login } from '#lib/people/user/session.ts';
import { newClock } from './local/clock.ts';
import { DEMO_PASSWORD, makeDemoData } from './local/demo-data.ts';
import { contextOf, WORK_TIME_MS } from './local/event.ts';
import { router } from './local/router.ts';
import { startService } from './local/service.ts';

/*
 * Gives a sample event to its function, on demo data in memory, and prints the answer: `npm run invoke --
 * events/brand-create.json`. In an event, `{{director}}` stands for a token of that demo account.
 */

const Followed = z
  .looseObject({ Records: z.array(z.looseObject({ eventSource: z.literal('aws:dynamodb') })) })
  .transform((event) => ({ followed: event.Records }));
const Queued = z.custom<SQSEvent>(
  (event) => has(event, 'Records'),
  'Neither of API Gateway, nor of SQS, nor of a stream',
);
const Called = z.custom<APIGatewayProxyEventV2>((event) => has(event, 'requestContext'));

const [file] = process.argv.slice(2);
if (!file) {
  process.stderr.write('Which event? For instance: npm run invoke -- events/brand-create.json\n');
  process.exit(1);
}

const service = await startService(0, undefined, newClock(), makeDemoData);
try {
  const event = z
    .union([Called, Followed, Queued])
    .parse(JSON.parse(await withTokens(await readFile(file, 'utf8'))));
  const answer = await answerTo(event);
  process.stdout.write(`${JSON.stringify(answer ?? null, null, 2)}\n`);
} finally {
  await service.stop();
}
process.exit();

async function answerTo(event: APIGatewayProxyEventV2 | SQSEvent | { readonly followed: DynamoDBRecord[] }) {
  if ('followed' in event) {
    const follow = await loadFollower();
    return follow({ Records: event.followed }, contextOf(FOLLOWER.name, 'sample', WORK_TIME_MS));
  }
  return 'Records' in event ? work(event) : call(event);
}

async function call(event: APIGatewayProxyEventV2) {
  const { method, path } = event.requestContext.http;
  const { handler, key, pathParameters } = router(await discoverRoutes())(method, path);
  return handler(
    { ...event, routeKey: key, pathParameters: { ...pathParameters } },
    contextOf(key, 'sample'),
  );
}

async function work(event: SQSEvent) {
  const queue = event.Records[0]?.eventSourceARN.split(':').at(-1);
  const worker = discoverWorkers().find(({ name }) => name === queue);
  if (!worker) throw new Error(`No worker has the queue ${queue}`);
  const handler = await loadWorker(worker);
  return handler(event, contextOf(worker.name, 'sample', WORK_TIME_MS));
}

async function withTokens(text: string): Promise<string> {
  const accounts = new Set([...text.matchAll(/\{\{([\w-]+)\}\}/g)].map(([, username]) => username ?? ''));
  let event = text;
  for (const username of accounts) {
    const { token } = await login({ username, password: DEMO_PASSWORD }, '127.0.0.1', Date.now());
    event = event.replaceAll(`{{${username}}}`, token);
  }
  return event;
}

function has(event: unknown, name: string): boolean {
  return typeof event === 'object' && event !== null && name in event;
}
