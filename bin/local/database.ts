import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  CreateTableCommand,
  DescribeTableCommand,
  DynamoDBClient,
  ResourceInUseException,
  UpdateTableCommand,
} from '@aws-sdk/client-dynamodb';
import { listen } from '../program/listen.ts';

const EMULATOR = join(
  dirname(new URL(import.meta.resolve('amplify-dynamodb-simulator/package.json')).pathname),
  'emulator',
);
const PATIENCE_MS = 30_000;

/** What a shell answers for a program that is not there. */
const NOT_FOUND = 127;

const NEEDS_JAVA =
  'Java 17 is needed for DynamoDB Local. Install it (Debian: apt-get install openjdk-17-jre-headless; macOS: brew install openjdk@17) and start again.';

/**
 * Runs its arguments for as long as the pipe at its input is open. The service holds the other end: however
 * that ends, by SIGKILL too, the database ends with it. It waits by a word of the shell's own: a program that
 * the path lacks would end it at once, and the child before that can say that Java is missing.
 */
const AS_LONG_AS_PARENT = `
exec 3<&0
"$@" </dev/null 3<&- &
child=$!
{ while read -r _ <&3; do :; done; kill $child; } 2>/dev/null &
wait $child
`;

/**
 * Starts the official DynamoDB Local with the service's table in it, in memory or under `directory`. It
 * listens at every address of the machine and can't be told otherwise. But each access key has a database of
 * its own: whoever comes with another than this process's finds an empty one. Of its use it
 * tells Amazon nothing.
 */
export async function startDatabase(table: string, directory: string | undefined) {
  const port = await freePort();
  if (directory) mkdirSync(directory, { recursive: true });
  const storage = directory ? ['-dbPath', directory] : ['-inMemory'];
  const emulator = ['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar'];
  const command = ['java', ...emulator, '-disableTelemetry', ...storage, '-port', String(port)];
  // A group of its own: Ctrl-C reaches the service first, which stops the database after the last call.
  const java = spawn('/bin/sh', ['-c', AS_LONG_AS_PARENT, 'sh', ...command], {
    cwd: EMULATOR,
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  const died = new Promise<never>((_, reject) => {
    java.once('error', reject);
    java.once('exit', (code) => reject(new Error(code === NOT_FOUND ? NEEDS_JAVA : lossText(code))));
  });
  const endpoint = `http://127.0.0.1:${port}`;
  await Promise.race([createTable(endpoint, table), died]);
  died.catch(() => {});
  java.once('exit', tellLoss);
  return { endpoint, stop: () => end(java) };
}

const STREAM = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;

/**
 * Tells whether the table has a stream here. DynamoDB Local looks through all of it whenever it is asked for
 * more: what writes for minutes, as a whole run of the tests does, would come to wait for that alone.
 */
export function isFollowedHere(): boolean {
  return !process.env['WITHOUT_STREAM'];
}

/**
 * Makes a table as the service's is, as soon as the database answers; an existing one only gets a stream.
 */
export async function createTable(
  endpoint: string,
  table: string,
  isFollowed = isFollowedHere(),
): Promise<void> {
  const client = new DynamoDBClient({ endpoint, maxAttempts: 1 });
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      await client.send(
        new CreateTableCommand({
          TableName: table,
          BillingMode: 'PAY_PER_REQUEST',
          AttributeDefinitions: ['pk', 'sk'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
          KeySchema: [
            { AttributeName: 'pk', KeyType: 'HASH' },
            { AttributeName: 'sk', KeyType: 'RANGE' },
          ],
          ...(isFollowed && { StreamSpecification: STREAM }),
        }),
      );
      return;
    } catch (error) {
      if (error instanceof ResourceInUseException) return letFollow(client, table);
      if (Date.now() > deadline)
        throw new Error('DynamoDB Local did not answer within 30 seconds.', { cause: error });
      await pause(100);
    }
  }
}

/** Switches on the stream of a table that was made before there was one. */
async function letFollow(client: DynamoDBClient, TableName: string): Promise<void> {
  const { Table } = await client.send(new DescribeTableCommand({ TableName }));
  if (Table?.StreamSpecification?.StreamEnabled) return;
  await client.send(new UpdateTableCommand({ TableName, StreamSpecification: STREAM }));
}

function lossText(code: number | null): string {
  return `DynamoDB Local ended with code ${code} as it started. Is "java -version" 17 or later?`;
}

async function end(java: ChildProcess): Promise<void> {
  if (java.exitCode !== null || java.signalCode !== null) return;
  const ended = once(java, 'exit');
  java.off('exit', tellLoss);
  java.stdin?.end();
  await ended;
}

function tellLoss(): void {
  process.stderr.write('DynamoDB Local has ended: until a new start, every call is answered 503.\n');
}

async function freePort(): Promise<number> {
  const { address, stop } = await listen(createServer());
  await stop();
  return Number(new URL(address).port);
}
