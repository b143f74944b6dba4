import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { Bundles } from './bundle/bundle-functions.ts';
import type { Files } from './files.ts';
import type { WorkQueues } from './queues.ts';
import type { Secrets } from './secrets.ts';
import type { Stage } from './stage.ts';

/** Resources that functions may get rights to. */
export interface Resources {
  readonly stage: Stage;
  readonly table: Table;
  readonly files: Files;
  readonly queues: WorkQueues;
  readonly secrets: Secrets;
  readonly bundles: Bundles;
  /** Contains sharp, which is native. */
  readonly imaging: LayerVersion;
}
