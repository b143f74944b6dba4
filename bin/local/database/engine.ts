import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { indexStreamRecords } from './stream-records.ts';

/** A program that serves DynamoDB's API on the loopback: how it is started, and what its user is told. */
export interface Engine {
  readonly name: EngineName;
  /** What `npm start` calls it. */
  readonly title: string;
  /** The command for a port, in memory or with its data under `directory`. */
  command(port: number, directory: string | undefined): readonly [program: string, ...args: string[]];
  /** Prepares the data under `directory` once the table is there; undefined if nothing is to be done. */
  readonly prepare?: (directory: string) => void;
  /** The folder in which the command is run; undefined if any will do. */
  readonly cwd?: string;
  /** What to do if its program is not on this machine. */
  readonly missing: string;
}

const EngineName = z.enum(['dynoxide', 'dynamodb-local']);
export type EngineName = z.infer<typeof EngineName>;

const require = createRequire(import.meta.url);

/**
 * Chooses the engine of the local table: Dynoxide where npm has installed it for this kind of machine, else
 * DynamoDB Local. `TABLE_ENGINE` overrides that. Fails with a sentence if it names what is not here.
 */
export function chooseEngine(wanted = process.env['TABLE_ENGINE'], binary = findDynoxide()): Engine {
  if (!wanted) return binary === null ? DYNAMODB_LOCAL : dynoxideAt(binary);
  const name = EngineName.safeParse(wanted);
  if (!name.success)
    throw new Error(`TABLE_ENGINE is ${wanted}; it can be ${EngineName.options.join(' or ')}.`);
  if (name.data === 'dynamodb-local') return DYNAMODB_LOCAL;
  if (binary === null)
    throw new Error(
      `Dynoxide is not installed. Run npm install ${PACKAGE}, or start with TABLE_ENGINE=dynamodb-local.`,
    );
  return dynoxideAt(binary);
}

const PACKAGE = `@dynoxide/${process.platform}-${process.arch}`;

/** Finds Dynoxide's program for this platform and processor, where its package is installed. */
function findDynoxide(): string | null {
  for (const folder of require.resolve.paths(PACKAGE) ?? []) {
    for (const program of ['dynoxide', 'dynoxide.exe']) {
      const path = join(folder, PACKAGE, program);
      if (existsSync(path)) return path;
    }
  }
  return null;
}

/** Dynoxide's data, a database of SQLite. */
const FILE = 'table.db';

function dynoxideAt(binary: string): Engine {
  return {
    name: 'dynoxide',
    title: 'Dynoxide',
    command: (port, directory) => [
      binary,
      ...['serve', '--host', '127.0.0.1', '--port', String(port)],
      ...(directory ? ['--db-path', join(directory, FILE)] : []),
    ],
    prepare: (directory) => indexStreamRecords(join(directory, FILE)),
    missing: `${binary} can't be started: run npm ci again, or start with TABLE_ENGINE=dynamodb-local.`,
  };
}

/**
 * Java's options: its usual collector has threads of its own, and the classes that it would verify, for half
 * a second, are Amazon's.
 */
const SPARINGLY = ['-XX:+UseSerialGC', '-XX:+UnlockDiagnosticVMOptions', '-XX:-BytecodeVerificationRemote'];

/**
 * The official DynamoDB Local. It listens at every address of the machine and can't be told otherwise. But
 * each access key has a database of its own: whoever comes with another than this process's finds an empty
 * one. Of its use it tells Amazon nothing.
 */
const DYNAMODB_LOCAL: Engine = {
  name: 'dynamodb-local',
  title: 'DynamoDB Local',
  cwd: join(dirname(require.resolve('amplify-dynamodb-simulator/package.json')), 'emulator'),
  command: (port, directory) => [
    'java',
    ...SPARINGLY,
    ...['-Djava.library.path=./DynamoDBLocal_lib', '-jar', 'DynamoDBLocal.jar', '-disableTelemetry'],
    ...(directory ? ['-dbPath', directory] : ['-inMemory']),
    ...['-port', String(port)],
  ],
  missing:
    'Java 17 is needed for DynamoDB Local. Install it (Debian: apt-get install openjdk-17-jre-headless; macOS: brew install openjdk@17) and start again.',
};
