import { PageOfCopy } from '#bench/kit/copy-page.ts';
import { expectAnswer } from '#bench/kit/expected-call.ts';
import { type Line, lineOf, type MeasuredService } from '#bench/kit/service.ts';
import type { Person } from '#bin/program/person.ts';

/** A page of a copy, what it took, and the log's line about it. */
export interface MeasuredPage extends PageOfCopy {
  readonly ms: number;
  readonly line: Line;
}

/** Asks for a page: of sales from the beginning, or after a cursor. Throws if it is refused. */
export async function askPage(
  { service, client }: { readonly service: MeasuredService; readonly client: Person },
  cursor: string | undefined,
  limit: number,
): Promise<MeasuredPage> {
  const from = cursor === undefined ? 'types[]=trade.sale' : `cursor=${cursor}`;
  const began = performance.now();
  const reply = await expectAnswer(client, { request: `GET /company/sync?${from}&limit=${limit}` });
  const ms = performance.now() - began;
  return { ...PageOfCopy.parse(reply.body), ms, line: await lineOf(service, reply) };
}
