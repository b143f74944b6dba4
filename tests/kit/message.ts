import type { SQSEvent } from 'aws-lambda';

/** An event as SQS sends it: one message with a body, `messageId` `1`. */
export function newMessage(body: unknown): SQSEvent {
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
  return { Records: [record] };
}
