import { readFile } from 'node:fs/promises';
import type { APIGatewayProxyEventV2, SQSEvent } from 'aws-lambda';
import * as z from 'zod';
import { parseJson } from '#lib/values/fields.ts';
import { UsageError } from '../cli/main.ts';

/** Event of API Gateway for the function of a route. */
const Called = z.custom<APIGatewayProxyEventV2>((event) => has(event, 'requestContext'));

/** Event of a stream for its consumer. */
const Followed = z
  .looseObject({ Records: z.array(z.looseObject({ eventSource: z.literal('aws:dynamodb') })) })
  .transform((event) => ({ followed: event.Records }));

/** Event of a queue for its worker. */
const Queued = z.custom<SQSEvent>((event) => has(event, 'Records'));

/** A sample event; `{{director}}` in it stands for a token of that demo account. */
export const Sample = z.union([Called, Followed, Queued]);

export type Sample = z.output<typeof Sample>;

/** Reads a file's event as a text. Misuse if it contains no event. */
export async function readSample(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new UsageError(`There is no file ${file}.`);
  });
  if (!Sample.safeParse(parseJson(text)).success)
    throw new UsageError(`${file} is an event neither of API Gateway, nor of SQS, nor of a stream.`);
  return text;
}

function has(event: unknown, name: string): boolean {
  return typeof event === 'object' && event !== null && name in event;
}
