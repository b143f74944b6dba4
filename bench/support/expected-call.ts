import * as z from 'zod';
import type { Person, Reply } from '#bin/cli/person.ts';

/** A call of the API. */
export interface ExpectedCall {
  readonly request: string;
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the body of the answer must be. */
  readonly answer?: z.ZodType;
  /** A refusal that is expected too. */
  readonly mayBe?: 422;
}

/**
 * Makes a call. Throws unless it is answered with 200, for the first time under its key, and as is expected.
 */
export async function expectAnswer(client: Pick<Person, 'send'>, call: ExpectedCall): Promise<Reply> {
  const { request, json, headers, answer, mayBe } = call;
  const reply = await client.send(request, json, headers);
  if (reply.status === mayBe) return reply;
  const told = `${request}: ${reply.status} ${JSON.stringify(reply.body)}`;
  if (reply.status !== 200) throw new Error(told);
  if (reply.headers.has('idempotent-replayed')) throw new Error(`${told} was answered before`);
  const wrong = answer?.safeParse(reply.body).error;
  if (wrong) throw new Error(`${request}: ${z.prettifyError(wrong)}`);
  return reply;
}
