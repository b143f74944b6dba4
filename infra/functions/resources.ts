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

/** Resources that functions may be granted access to. */
export interface Resources {
  readonly stage: Stage;
  readonly table: TableInUse;
  readonly files: Files;
  readonly queues: WorkQueues;
  readonly secrets: Secrets;
  readonly bundles: Bundles;
  /** Layer with sharp, which is native. */
  readonly imaging: LayerVersion;
  /** Address of the service: `https://d111111abcdef8.cloudfront.net`, without a trailing slash. */
  readonly address: string;
  /** Other names by which the service, or a part of it, can be reached. */
  readonly ownNames: readonly string[];
  /** Log of all functions, so that a request is found in one place. */
  readonly log: LogGroup;
  /** Returns the role for a set of permissions, shared by all functions with the same ones. */
  readonly roleFor: (needs: Permissions) => IRole;
}
