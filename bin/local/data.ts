import { join } from 'node:path';
import { discoverWorkers } from '#infra/routes.ts';
import { queueUrlVariable } from '#lib/queues/queue.ts';
import { ZONE } from '#lib/values/time.ts';
import { accessKeyIn, newAccessKey, TABLE_FOLDER } from './data-directory.ts';
import { startDatabase } from './database/database.ts';
import { chooseEngine } from './database/engine.ts';
import { startEmulators } from './emulators.ts';

/** Table, files and queues of a service. */
export type Data = Awaited<ReturnType<typeof startData>>;

const TABLE = 'retail';
const BUCKET = 'retail-files';

/** Returns the account of these data: its access key gives access to the table. Nothing else is checked. */
export function accountOf(directory: string | undefined) {
  return {
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: directory ? accessKeyIn(directory) : newAccessKey(),
    AWS_SECRET_ACCESS_KEY: 'local',
  };
}

/** Starts the service's storage, under `directory` or in memory. */
export async function startData(directory: string | undefined) {
  const account = accountOf(directory);
  Object.assign(process.env, account);
  const [database, emulators] = await Promise.all([
    startDatabase(chooseEngine(), TABLE, directory && join(directory, TABLE_FOLDER)),
    startEmulators(
      BUCKET,
      discoverWorkers().map(({ name }) => name),
      directory && join(directory, 'files'),
    ),
  ]);
  const { queueUrls, readFile } = emulators;
  /** Environment for processes on these data. */
  const settings: Record<string, string> = {
    ...account,
    AWS_ENDPOINT_URL_DYNAMODB: database.endpoint,
    AWS_ENDPOINT_URL_S3: emulators.endpoint,
    AWS_ENDPOINT_URL_SQS: emulators.endpoint,
    TABLE_NAME: TABLE,
    TIME_ZONE: ZONE,
    FILES_BUCKET: BUCKET,
    SEALING_SECRET: 'another that everyone knows',
    // Webhooks may be sent to this machine.
    LOCAL_RECEIVERS: 'true',
    TOKEN_SECRET: 'a secret that is known to everyone: only for one machine',
    ...Object.fromEntries(Object.entries(queueUrls).map(([name, url]) => [queueUrlVariable(name), url])),
  };
  const stop = async () => {
    await Promise.all([database.stop(), emulators.stop()]);
  };
  return { settings, queueUrls, readFile, stop };
}
