import type { Context, SQSEvent } from 'aws-lambda';
import { contextOf, WORK_TIME_MS } from '#bin/local/event.ts';

/**
 * Creates an event as SQS sends it: one message with a body, `messageId` `1`, and the time that a worker has
 * for it.
 */
export function newMessage(body: unknown): [SQSEvent, Context] {
  const attributes = {
    ApproximateReceiveCount: '1',
    SentTimestamp: '0',
    SenderId: 'test',
    ApproximateFirstReceiveTimestamp: '0',
  };
  const record = {
    messageId: '1',
    receiptHandle: '1',
    body: JSON.stringify(body),
    attributes,
    messageAttributes: {},
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:test',
    awsRegion: 'us-east-1',
  };
  return [{ Records: [record] }, contextOf('test', '1', WORK_TIME_MS)];
}
