import {
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  RestoreTableToPointInTimeCommand,
  type TableDescription,
  UpdateContinuousBackupsCommand,
  UpdateTableCommand,
  UpdateTimeToLiveCommand,
  waitUntilTableExists,
} from '@aws-sdk/client-dynamodb';
import { EXPIRY } from '#infra/resources/table.ts';
import type { Instant } from '#lib/values/time.ts';
import { main, print, TEXT, UsageError } from './cli/main.ts';
import { outputOf, placeIn } from './stage/stack.ts';
import { describeTable } from './stage/table.ts';

/*
 * Creates a new table with the contents of a stage's table at a given minute, sets the properties a restore
 * omits, and verifies its books. The service continues with the old table until it is configured otherwise.
 * Or restores one family from such a table. Both resume on the next run if interrupted.
 */

const USAGE = `npm run restore -- --stage <name> --at 2026-11-21T10:00 --as <new table> [--table <the table there is>]
npm run restore -- --family <id> --from <restored table> [--yes <name>] [--stage <name>] [--table <the one in use>]
    [--bucket <name>]

The first makes a table of what there was at a minute of the stage's TIME_ZONE, of the last 35 days. If the stage
has no stack any more, name its table, and give TIME_ZONE in the environment. It takes from minutes to hours.

The second brings one family back to what a table has that was made so: its main company must be deleted a minute
ago. What the family has written since is lost, so it asks for the company's name. People, companies, webhooks and
the tariff stay as they are (docs/families.md). Without a stage it is the service that runs here (npm start). It
scans both tables: some minutes for a gigabyte, while other families work.`;

/** No time zone is further ahead: a future minute there is in the future everywhere. */
const EARLIEST = '+14:00';

/** A restore of some hundred gigabytes takes hours. */
const PATIENCE_S = 24 * 3600;

const client = new DynamoDBClient({});

const OPTIONS = {
  ...{ stage: TEXT, at: { ...TEXT, default: '' }, as: TEXT, table: TEXT },
  ...{ family: TEXT, from: TEXT, yes: TEXT, bucket: TEXT },
} as const;

await main(USAGE, { options: OPTIONS }, async ({ values }) => {
  const { stage, table, at: minute, as: target, family } = values;
  if (family !== undefined) {
    const { bringBack } = await import('./family/bring-back.ts');
    return bringBack({ ...values, family });
  }
  if (!stage || !target) throw new UsageError('Which stage, and to which table?');
  requirePast(minute, Date.parse(`${minute}:00${EARLIEST}`));
  const zone = (table && process.env['TIME_ZONE']) || (await outputOf(stage, 'TimeZone'));
  const source = table ?? (await outputOf(stage, 'TableName'));
  Object.assign(process.env, { TIME_ZONE: zone, TABLE_NAME: target });
  // These imports read the time zone of days from the environment, set just above.
  const { instantOf } = await import('./local/clock.ts');
  const { verifyTable } = await import('./verify/table.ts');
  const { invalidateFeed } = await import('#lib/table/feed/epoch.ts');
  const at = requirePast(minute, instantOf(minute));
  const place = placeIn((await describeTable(source))?.TableArn);
  print(`Restores ${source} as of ${minute} (${zone}) to ${target}.
That is in ${place}, and takes from minutes to hours.`);
  await restoreTable(source, target, at);
  const stream = await enableStream(target);
  await finishRestored(target, await isProtected(source));
  // Sync clients may have seen writes that this table does not have.
  await invalidateFeed();
  print(`${target} is there, expires items and can be restored itself. Its books:`);
  if ((await verifyTable(undefined, print)) > 0)
    throw new Error(`Its books do not add up: choose another minute. ${target} remains; nobody uses it.`);
  print(`The books add up. To work with it:
  npm run deploy -- --stage ${stage} -- -c TABLE=${target} -c TABLE_STREAM=${stream}
Keep both in cdk.json, under "context": a deployment without them goes back to the stack's own table.`);
});

function requirePast(minute: string, at: number | undefined): number {
  if (at === undefined || Number.isNaN(at)) throw new UsageError(`Which minute? "${minute}" is none.`);
  if (at > Date.now()) throw new Error(`${minute} is still to come.`);
  return at;
}

/**
 * Restores a table at a point in time to a new table, and waits until it is active. Resumes waiting for one
 * begun by an interrupted run.
 */
async function restoreTable(source: string, target: string, at: Instant): Promise<void> {
  const found = await describeTable(target);
  if (found) requireRestored(found, source, at);
  else {
    await client.send(
      new RestoreTableToPointInTimeCommand({
        SourceTableName: source,
        TargetTableName: target,
        RestoreDateTime: new Date(at),
      }),
    );
  }
  await waitForTable(target);
}

function requireRestored(found: TableDescription, source: string, at: Instant): void {
  const { SourceTableArn, RestoreDateTime } = found.RestoreSummary ?? {};
  if (SourceTableArn?.endsWith(`:table/${source}`) && RestoreDateTime?.getTime() === at) return;
  throw new Error(
    `${found.TableName} is there, and is not ${source} as of that minute: choose another name.`,
  );
}

/** Returns whether a table is protected from deletion. */
async function isProtected(table: string): Promise<boolean> {
  return (await describeTable(table))?.DeletionProtectionEnabled ?? false;
}

async function waitForTable(TableName: string): Promise<void> {
  await waitUntilTableExists({ client, maxWaitTime: PATIENCE_S, minDelay: 1 }, { TableName });
}

/**
 * Sets the properties that a restore leaves at their defaults, as `infra/resources/table.ts` sets them for
 * the stack's table. DynamoDB rejects a setting that is already in effect.
 */
async function finishRestored(TableName: string, isToBeProtected: boolean): Promise<void> {
  if (!(await expires(TableName))) {
    const TimeToLiveSpecification = { AttributeName: EXPIRY, Enabled: true };
    await client.send(new UpdateTimeToLiveCommand({ TableName, TimeToLiveSpecification }));
  }
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true };
  await client.send(new UpdateContinuousBackupsCommand({ TableName, PointInTimeRecoverySpecification }));
  if (!isToBeProtected || (await isProtected(TableName))) return;
  await client.send(new UpdateTableCommand({ TableName, DeletionProtectionEnabled: true }));
  await waitForTable(TableName);
}

/** Enables the stream before any write it must contain, and returns its label. */
async function enableStream(TableName: string): Promise<string> {
  const before = await describeTable(TableName);
  if (!before?.StreamSpecification?.StreamEnabled) {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
    await client.send(new UpdateTableCommand({ TableName, StreamSpecification }));
    await waitForTable(TableName);
  }
  const label = (await describeTable(TableName))?.LatestStreamLabel;
  if (label === undefined) throw new Error(`${TableName} has no stream`);
  return label;
}

async function expires(TableName: string): Promise<boolean> {
  const { TimeToLiveDescription } = await client.send(new DescribeTimeToLiveCommand({ TableName }));
  return TimeToLiveDescription?.TimeToLiveStatus?.startsWith('ENABL') ?? false;
}
