import type { IRole } from 'aws-cdk-lib/aws-iam';
import type { LayerVersion } from 'aws-cdk-lib/aws-lambda';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Bundles } from '#infra/bundle/bundle-functions.ts';
import type { Files } from '#infra/resources/files.ts';
import type { WorkQueues } from '#infra/resources/queues.ts';
import type { Secrets } from '#infra/resources/secrets.ts';
import type { TableInUse } from '#infra/resources/table.ts';
import type { Stage } from '#infra/stage.ts';
import type { Permissions } from './roles.ts';

/** Resources that functions may get rights to. */
export interface Resources {
  readonly stage: Stage;
  readonly table: TableInUse;
  readonly files: Files;
  readonly queues: WorkQueues;
  readonly secrets: Secrets;
  readonly bundles: Bundles;
  /** Contains sharp, which is native. */
  readonly imaging: LayerVersion;
  /** The service's address: `https://d111111abcdef8.cloudfront.net`, without a slash. */
  readonly address: string;
  /** Names by which the service, or a part of it, is reached besides. */
  readonly ownNames: readonly string[];
  /** The log of all functions: one place to look for a call. */
  readonly log: LogGroup;
  /** Gives the role for a kind of need, the same to all that need the same. */
  readonly roleFor: (needs: Permissions) => IRole;
}
