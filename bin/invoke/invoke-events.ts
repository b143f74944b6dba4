import type { APIGatewayProxyEventV2, DynamoDBRecord, SQSEvent } from 'aws-lambda';
import { discoverRoutes, discoverWorkers, STREAM_CONSUMER } from '#infra/routes.ts';
import { loadStreamConsumer, loadWorker } from '#infra/worker-functions.ts';
import { login } from '#lib/people/user/session.ts';
import { newClock } from '../local/clock.ts';
import { DEMO_PASSWORD, makeDemoData } from '../local/demo-data.ts';
import { contextOf, WORK_TIME_MS } from '../local/event.ts';
import { router } from '../local/router.ts';
import { startService } from '../local/service.ts';
import { Sample } from './sample.ts';

/** Invokes the functions of events one after the other, on demo data in memory, given the samples' texts. */
export async function* invokeEvents(samples: readonly string[]): AsyncGenerator<unknown> {
  const service = await startService(0, undefined, newClock(), makeDemoData);
  try {
    for (const text of samples) yield answerTo(Sample.parse(JSON.parse(await withTokens(text))));
  } finally {
    await service.stop();
  }
}

async function answerTo(event: Sample): Promise<unknown> {
  if ('followed' in event) return follow(event.followed);
  return 'Records' in event ? work(event) : call(event);
}

async function follow(Records: DynamoDBRecord[]) {
  const handler = await loadStreamConsumer();
  return handler({ Records }, contextOf(STREAM_CONSUMER.name, 'sample', WORK_TIME_MS));
}

async function call(event: APIGatewayProxyEventV2) {
  const { method, path } = event.requestContext.http;
  const route = router(await discoverRoutes())(method, path);
  if (!route) throw new Error(`No function takes ${method} ${path}.`);
  const { handler, key, pathParameters } = route;
  return handler(
    { ...event, routeKey: key, pathParameters: { ...pathParameters } },
    contextOf(key, 'sample'),
  );
}

async function work(event: SQSEvent) {
  const queue = event.Records[0]?.eventSourceARN.split(':').at(-1);
  const worker = discoverWorkers().find(({ name }) => name === queue);
  if (!worker) throw new Error(`No worker has the queue ${queue}.`);
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
