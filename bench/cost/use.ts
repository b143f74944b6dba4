import { setTimeout as pause } from 'node:timers/promises';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { type ExpectedCall, expectAnswer } from '#bench/support/expected-call.ts';
import type { MeasuredShop } from '#bench/support/measured-shop.ts';
import { type Line, lineOf, quantile } from '#bench/support/service.ts';
import { countWriteUnits } from '#bench/support/units.ts';
import { bytesOf } from '#lib/table/change/write.ts';
import { dynamo, tableName } from '#lib/table/client.ts';

/** What a call uses of AWS, or several calls together. */
export interface Use {
  readonly calls: number;
  readonly written_units: number;
  readonly read_units: number;
  /** Processor time here, outside the SDK's waiting. */
  readonly own_ms: number;
  readonly round_trips: number;
  readonly logged_bytes: number;
  readonly sent_bytes: number;
  readonly given_bytes: number;
  /** Of the table, for good. */
  readonly stored_bytes: number;
}

/** DynamoDB bills so much more for each item that it stores. */
const ITEM_BYTES = 100;

/** Longer than a notice to a worker of lists is under way. */
const REST_MS = 3000;

/** Makes a call so often that is made up anew each time, and so often again to see what is written. */
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

/** Makes calls that leave something in the table: what workers add to that is stored too. */
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

/** Adds up what the table holds once workers have folded in what was written before. */
async function bytesAtRest(): Promise<number> {
  for (let before = -1, now = await tableBytes(); ; before = now, now = await tableBytes()) {
    if (now === before) return now;
    await pause(REST_MS);
  }
}

/** Adds up what it holds for good: kept answers and counts of tries expire. */
async function tableBytes(): Promise<number> {
  let bytes = 0;
  for await (const { Items = [] } of paginateScan({ client: dynamo }, { TableName: tableName() })) {
    const lasting = Items.filter((item) => !('expires_at' in item));
    bytes += lasting.reduce((sum, item) => sum + bytesOf(item) + ITEM_BYTES, 0);
  }
  return bytes;
}
