import { expectAnswer } from '#bench/support/expected-call.ts';
import { type Line, lineOf, type MeasuredService } from '#bench/support/service.ts';
import { SyncPageShape } from '#bench/support/sync-page.ts';
import type { Person } from '#bin/cli/person.ts';

/** A page of a sync, its cost, and its log line. */
export interface MeasuredPage extends SyncPageShape {
  readonly ms: number;
  readonly line: Line;
}

/** Requests a page: of sales from the beginning, or after a cursor. Throws on an error response. */
export async function fetchSyncPage(
  { service, client }: { readonly service: MeasuredService; readonly client: Person },
  cursor: string | undefined,
  limit: number,
): Promise<MeasuredPage> {
  const from = cursor === undefined ? 'types[]=trade.sale' : `cursor=${cursor}`;
  const began = performance.now();
  const reply = await expectAnswer(client, { request: `GET /company/sync?${from}&limit=${limit}` });
  const ms = performance.now() - began;
  return { ...SyncPageShape.parse(reply.body), ms, line: await lineOf(service, reply) };
}
