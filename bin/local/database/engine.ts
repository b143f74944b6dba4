import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { indexStreamRecords } from './stream-records.ts';

/** A program that serves DynamoDB's API on the loopback: its command, and texts for its user. */
export interface Engine {
  readonly name: EngineName;
  /** Its name in `npm start`'s output. */
  readonly title: string;
  /** The command for a port, in memory or with its data under `directory`. */
  command(port: number, directory: string | undefined): readonly [program: string, ...args: string[]];
  /** Prepares the data under `directory` once the table exists; undefined if not needed. */
  readonly prepare?: (directory: string) => void;
  /** Working directory of the command; undefined for any. */
  readonly cwd?: string;
  /** Instructions if its program is missing on this machine. */
  readonly missing: string;
}

const EngineName = z.enum(['dynoxide', 'dynamodb-local']);
export type EngineName = z.infer<typeof EngineName>;

const require = createRequire(import.meta.url);

/**
 * Chooses the engine of the local table: Dynoxide where npm has installed it for this platform, else DynamoDB
 * Local. `TABLE_ENGINE` overrides that. Fails with a sentence if that one is not available.
 */
export function chooseEngine(requested = process.env['TABLE_ENGINE'], binary = findDynoxide()): Engine {
  if (!requested) return binary === null ? DYNAMODB_LOCAL : dynoxideAt(binary);
  const name = EngineName.safeParse(requested);
  if (!name.success)
    throw new Error(`TABLE_ENGINE is ${requested}; it can be ${EngineName.options.join(' or ')}.`);
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

/** Dynoxide's SQLite database. */
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
 * Java options: the default collector has threads of its own, and the classes it would verify, for half a
 * second, are Amazon's.
 */
const SPARINGLY = ['-XX:+UseSerialGC', '-XX:+UnlockDiagnosticVMOptions', '-XX:-BytecodeVerificationRemote'];

/**
 * The official DynamoDB Local. It listens at every address of the machine, without an option to change that.
 * But each access key has a database of its own: another key than this process's sees an empty one. Its
 * telemetry is off.
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
