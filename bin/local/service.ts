import { once } from 'node:events';
import { join } from 'node:path';
import { discoverRoutes, discoverWorkers } from '#infra/routes.ts';
import { queueSetting } from '#lib/queues/queue.ts';
import { startDatabase } from './database.ts';
import { startEmulators } from './emulators.ts';
import { startServer } from './server.ts';
import { runWorkers } from './workers.ts';

export interface LocalService {
  readonly address: string;
  /** The settings the service runs with: another process that has them works on the same data. */
  readonly settings: Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

const TABLE = 'retail';
const BUCKET = 'retail-files';

/**
 * Starts the whole service on the loopback: table, files, queues, workers and HTTP. Data live in `directory`, or in
 * memory; they are prepared before the first call is answered.
 */
export async function startService(
  port: number,
  directory: string | undefined,
  prepare: () => Promise<void>,
): Promise<LocalService> {
  const workers = discoverWorkers();
  // The region and the keys are for the emulators, which ask for some and check none.
  Object.assign(process.env, {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  });
  const [database, emulators] = await Promise.all([
    startDatabase(TABLE, directory && join(directory, 'dynamodb')),
    startEmulators(
      BUCKET,
      workers.map(({ name }) => name),
      directory && join(directory, 'files'),
    ),
  ]);
  const settings: Record<string, string> = {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_S3: emulators.endpoint,
    AWS_ENDPOINT_URL_SQS: emulators.endpoint,
    TABLE_NAME: TABLE,
    FILES_BUCKET: BUCKET,
    TOKEN_SECRET: 'a secret that is known to everyone: only for one machine',
    ...Object.fromEntries(
      Object.entries(emulators.queueUrls).map(([name, url]) => [queueSetting(name), url]),
    ),
  };
  Object.assign(process.env, settings);

  const stopData = async () => {
    await Promise.all([database.stop(), emulators.stop()]);
  };
  const server = await prepare()
    .then(async () => startServer(await discoverRoutes(), emulators.readFile, port))
    .catch(async (error: unknown) => {
      await stopData();
      throw error;
    });
  const bound = server.address();
  const address = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : port}`;
  settings['FILES_URL'] = `${address}/files`;
  process.env['FILES_URL'] = settings['FILES_URL'];

  const stopping = new AbortController();
  const working = runWorkers(workers, emulators.queueUrls, stopping.signal);
  return {
    address,
    settings,
    stop: async () => {
      stopping.abort();
      server.close();
      server.closeAllConnections();
      await Promise.all([once(server, 'close'), working]);
      await stopData();
    },
  };
}
