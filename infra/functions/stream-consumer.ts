import { Duration } from 'aws-cdk-lib';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { type Alias, FilterCriteria, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { S3OnFailureDestination } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Construct } from 'constructs';
import { importBucket, notifyOnUpload } from '#infra/resources/files.ts';
import { WORK_TIME } from '#infra/resources/queues.ts';
import { STREAM_CONSUMER } from '#infra/routes.ts';
import type { Resource } from '#lib/http/definition/definition.ts';
import type { StreamConsumer } from '#lib/http/stream-consumer.ts';
import { permissionsFor, readAccess, writeAccess } from './access.ts';
import { addFunction } from './function.ts';
import { INDEX_QUEUE, RECOVERY_QUEUE } from './permissions.ts';
import type { Resources } from './resources.ts';
import type { Permissions } from './roles.ts';

/** Records per batch: those of a family fill one page of its feed. */
const BATCH = 500;

/** Folder in which Lambda stores failed batches. Lambda fixes the name. */
const FAILURES_FOLDER = 'aws/lambda/';

/** Name of the worker that is notified of them. */
const WATCHING_FEED = 'watch-feed';

/**
 * Adds the consumer of the table's stream, and returns its live alias. A failed batch is retried for as long
 * as the stream surely retains it, and bisected until the failing record is alone; then it is stored in a
 * bucket, and a worker is notified. One concurrent batch per shard: a shard takes a thousand write units a
 * second, and a batch of 500 takes a tenth of a second. More would contend for the next page of a busy
 * family's feed.
 */
export function addStreamConsumer(
  scope: Construct,
  { uses = [], keys }: StreamConsumer['metadata'],
  resources: Resources,
): Alias {
  const { table, files, queues } = resources;
  const watching = queues.get(WATCHING_FEED)?.queue;
  if (!watching) throw new Error(`There is no worker ${WATCHING_FEED}`);
  if (!table.tableStreamArn) throw new Error('The table in use has no stream');
  const props = {
    description: `Follows the stream: ${STREAM_CONSUMER.name}`,
    bundle: STREAM_CONSUMER.file,
    handler: 'handler',
    needs: needsOfFollower(uses, resources),
    timeout: WORK_TIME,
  };
  const following = addFunction(scope, 'Follower', props, resources);
  following.addEventSourceMapping('Changes', {
    eventSourceArn: table.tableStreamArn,
    startingPosition: StartingPosition.TRIM_HORIZON,
    filters: [
      FilterCriteria.filter({ dynamodb: { Keys: { pk: beginning(keys.pk), sk: beginning(keys.sk) } } }),
    ],
    batchSize: BATCH,
    maxBatchingWindow: Duration.seconds(1),
    parallelizationFactor: 1,
    bisectBatchOnError: true,
    // An hour less than the stream's retention: records that the stream itself drops are lost without notice.
    maxRecordAge: Duration.hours(23),
    onFailure: new S3OnFailureDestination(importBucket(scope, 'PutAside', files.bucket)),
  });
  notifyOnUpload(files.bucket, FAILURES_FOLDER, watching);
  return following;
}

function beginning(prefixes: readonly string[]) {
  return { S: prefixes.map((prefix) => ({ prefix })) };
}

function needsOfFollower(uses: readonly Resource[], resources: Resources): Permissions {
  const { stage, table, files } = resources;
  const shared = permissionsFor([...new Set([...uses, RECOVERY_QUEUE, INDEX_QUEUE])], resources);
  return {
    kind: 'follows-changes',
    statements: [
      new PolicyStatement({
        actions: ['GetRecords', 'GetShardIterator', 'DescribeStream'].map((action) => `dynamodb:${action}`),
        resources: [table.tableStreamArn ?? ''],
      }),
      new PolicyStatement({ actions: ['dynamodb:ListStreams'], resources: ['*'] }),
      new PolicyStatement({
        actions: ['s3:PutObject'],
        resources: [files.bucket.arnForObjects(`${FAILURES_FOLDER}*`)],
      }),
      new PolicyStatement({ actions: ['s3:ListBucket'], resources: [files.bucket.bucketArn] }),
      readAccess(resources),
      writeAccess(resources),
      ...shared.statements,
    ],
    settings: { ...stage.settings, ...shared.settings, TABLE_NAME: table.tableName },
    secrets: shared.secrets,
    storesFiles: false,
  };
}
