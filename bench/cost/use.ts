import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Client, expectReply } from '#bin/demo/client.ts';
import { tableName } from '#lib/table/client.ts';
import { type Line, linesOf, type MeasuredService, quantile } from '../service.ts';
import { billedWrites } from '../units.ts';

/** What a call uses of AWS, or several calls together. */
export interface Use {
  readonly calls: number;
  readonly written_units: number;
  readonly read_units: number;
  /** Processor time here, outside the SDK's waiting. */
  readonly own_ms: number;
  readonly round_trips: number;
  readonly logged_bytes: number;
  readonly given_bytes: number;
  readonly stored_bytes: number;
}

/** A call that is made again and again: its route, and how to send it through a client. */
export interface Call {
  readonly route: string;
  send(client: Client): ReturnType<Client>;
}

/** A service in a process of its own, and one in this process on the same data, whose writes can be seen. */
export interface TwoServices {
  readonly service: MeasuredService;
  readonly client: Client;
  readonly seen: Client;
}

const TIMES = 20;

/** Makes a call twenty times and tells what the middle one uses. */
export async function useOf({ service, client, seen }: TwoServices, { route, send }: Call): Promise<Use> {
  const before = service.lines.filter((line) => line.route === route).length;
  const stored = await storedBytes();
  let given_bytes = 0;
  for (let each = 0; each < TIMES; each++) {
    const { body } = await expectReply(200, send(client));
    given_bytes = JSON.stringify(body).length;
  }
  const stored_bytes = Math.max(0, ((await storedBytes()) - stored) / TIMES);
  const lines = (await linesOf(service, route, before + TIMES)).slice(before);
  const middle = (of: (line: Line) => number) => quantile(lines.map(of));
  return {
    calls: 1,
    written_units: await billedWrites(() => expectReply(200, send(seen))),
    read_units: middle(({ capacity_units, written_units }) => capacity_units - written_units),
    own_ms: middle(({ duration_ms, table_ms }) => duration_ms - table_ms),
    round_trips: middle(({ round_trips }) => round_trips),
    logged_bytes: middle(({ bytes }) => bytes),
    given_bytes,
    stored_bytes: Math.round(stored_bytes),
  };
}

async function storedBytes(): Promise<number> {
  const { Table } = await new DynamoDBClient().send(new DescribeTableCommand({ TableName: tableName() }));
  return Table?.TableSizeBytes ?? 0;
}
