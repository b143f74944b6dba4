import { requireEnv } from '#lib/values/env.ts';

/** Calls an engine's stream API, as JSON. No engine checks the signature. Throws on an error response. */
export async function askStreams(endpoint: string, operation: string, body: object): Promise<unknown> {
  const credential = `${requireEnv('AWS_ACCESS_KEY_ID')}/20260101/us-east-1/dynamodb/aws4_request`;
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-amz-json-1.0',
      'X-Amz-Target': `DynamoDBStreams_20120810.${operation}`,
      'X-Amz-Date': '20260101T000000Z',
      Authorization: `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host, Signature=local`,
    },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${operation}: ${answer.status}`);
  return answer.json();
}
