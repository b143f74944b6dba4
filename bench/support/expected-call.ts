import * as z from 'zod';
import type { Person, Reply } from '#bin/cli/person.ts';

/** A call of the API. */
export interface ExpectedCall {
  readonly request: string;
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** Schema of the expected response body. */
  readonly answer?: z.ZodType;
  /** An error that is accepted too. */
  readonly mayBe?: 422;
}

/** Makes a call. Throws unless the response is 200, not replayed, and as expected. */
export async function expectAnswer(client: Pick<Person, 'send'>, call: ExpectedCall): Promise<Reply> {
  const { request, json, headers, answer, mayBe } = call;
  const reply = await client.send(request, json, headers);
  if (reply.status === mayBe) return reply;
  const outcome = `${request}: ${reply.status} ${JSON.stringify(reply.body)}`;
  if (reply.status !== 200) throw new Error(outcome);
  if (reply.headers.has('idempotent-replayed')) throw new Error(`${outcome} was answered before`);
  const wrong = answer?.safeParse(reply.body).error;
  if (wrong) throw new Error(`${request}: ${z.prettifyError(wrong)}`);
  return reply;
}
