import { setTimeout as pause } from 'node:timers/promises';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { type ExpectedCall, expectAnswer } from '#bench/support/expected-call.ts';
import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Line, lineOf, quantile } from '#bench/support/service.ts';
import { countWriteUnits } from '#bench/support/units.ts';
import { bytesOf } from '#lib/table/change/write.ts';
import { dynamo, tableName } from '#lib/table/client.ts';

/** AWS usage of one or more requests. */
export interface Use {
  readonly calls: number;
  readonly written_units: number;
  readonly read_units: number;
  /** CPU time here, without waiting in the SDK. */
  readonly own_ms: number;
  readonly round_trips: number;
  readonly logged_bytes: number;
  readonly sent_bytes: number;
  readonly given_bytes: number;
  /** Permanent bytes in the table. */
  readonly stored_bytes: number;
}

/** Bytes that DynamoDB bills in addition for each stored item. */
const ITEM_BYTES = 100;

/** Longer than the delay of a message to the index worker. */
const REST_MS = 3000;

/** Makes a new call this many times for its time, and as often again for its writes. */
export async function useOf(stage: MeasuredShop, times: number, newCall: () => ExpectedCall): Promise<Use> {
  const { service, client, seen } = stage;
  const lines: Line[] = [];
  let bodies = { sent_bytes: 0, given_bytes: 0 };
  for (let each = 0; each < times; each++) {
    const call = newCall();
    const reply = await expectAnswer(client, call);
    bodies = { sent_bytes: sizeOf(call.json), given_bytes: sizeOf(reply.body) };
    lines.push(await lineOf(service, reply));
  }
  const written = await countWriteUnits(async () => {
    for (let each = 0; each < times; each++) await expectAnswer(seen, newCall());
  });
  const middle = (of: (line: Line) => number) => quantile(lines.map(of));
  return {
    calls: 1,
    written_units: written / times,
    read_units: middle(({ capacity_units, written_units }) => capacity_units - written_units),
    own_ms: middle(({ duration_ms, table_ms }) => duration_ms - table_ms),
    round_trips: middle(({ round_trips }) => round_trips),
    logged_bytes: middle(({ bytes }) => bytes),
    ...bodies,
    stored_bytes: 0,
  };
}

/** Measures calls that leave data in the table, including those added by workers. */
export async function useOfStoring(
  stage: MeasuredShop,
  times: number,
  newCall: () => ExpectedCall,
): Promise<Use> {
  const before = await bytesAtRest();
  const use = await useOf(stage, times, newCall);
  const stored = Math.max(0, (await bytesAtRest()) - before);
  return { ...use, stored_bytes: stored / (2 * times) };
}

function sizeOf(body: unknown): number {
  return body === undefined ? 0 : JSON.stringify(body).length;
}

/** Sums the table's bytes once workers have applied earlier writes. */
async function bytesAtRest(): Promise<number> {
  for (let before = -1, now = await tableBytes(); ; before = now, now = await tableBytes()) {
    if (now === before) return now;
    await pause(REST_MS);
  }
}

/** Sums its permanent bytes: saved responses and attempt counts expire. */
async function tableBytes(): Promise<number> {
  let bytes = 0;
  for await (const { Items = [] } of paginateScan({ client: dynamo }, { TableName: tableName() })) {
    const lasting = Items.filter((item) => !('expires_at' in item));
    bytes += lasting.reduce((sum, item) => sum + bytesOf(item) + ITEM_BYTES, 0);
  }
  return bytes;
}
