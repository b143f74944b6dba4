import { CfnOutput, type NestedStack, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { Bundles } from '#infra/bundle/bundle-functions.ts';
import { NOT_FOUND_BUNDLE, REFERENCE } from '#infra/bundle/sources.ts';
import { functionPrefix } from '#infra/function-name.ts';
import { addFunction } from '#infra/functions/function.ts';
import { callerPermissions } from '#infra/functions/permissions.ts';
import type { Resources } from '#infra/functions/resources.ts';
import { roleFor } from '#infra/functions/roles.ts';
import { addStreamConsumer } from '#infra/functions/stream-consumer.ts';
import { addWorkers } from '#infra/functions/workers.ts';
import { addApis, REFERENCE_NAME, UNSERVED_NAME } from '#infra/http/apis.ts';
import { hostOf } from '#infra/http/behaviors.ts';
import { addCdn } from '#infra/http/cdn.ts';
import { addAlarms } from '#infra/monitoring/alarms.ts';
import { addDashboard } from '#infra/monitoring/dashboard.ts';
import { addFiles } from '#infra/resources/files.ts';
import { addImaging } from '#infra/resources/imaging.ts';
import { addQueues } from '#infra/resources/queues.ts';
import { addSecrets } from '#infra/resources/secrets.ts';
import { addTable } from '#infra/resources/table.ts';
import type { Route } from '#infra/routes.ts';
import { stageOf } from '#infra/stage.ts';
import type { WorkerFunction } from '#infra/worker-functions.ts';
import type { StreamConsumer } from '#lib/http/stream-consumer.ts';
import { addAreas } from './area-stacks.ts';

/** Parts of a deployment. */
export interface RetailProps {
  readonly routes: readonly Route[];
  readonly workers: readonly WorkerFunction[];
  /** Resources used by the stream consumer, beside the stream. */
  readonly follower: StreamConsumer['metadata'];
  readonly bundles: Bundles;
}

/** The whole service of a stage: shared resources here, the functions of each area in a nested stack. */
export class RetailStack extends Stack {
  readonly areas: readonly NestedStack[];

  constructor(app: Construct, { routes, workers, follower, bundles }: RetailProps) {
    const stage = stageOf(app.node);
    super(app, `retail-${stage.name}`, {
      description: `Retail back office, ${stage.name}`,
      terminationProtection: stage.isProtected,
      suppressTemplateIndentation: true,
    });
    const files = addFiles(this, stage);
    const secrets = addSecrets(this, stage);
    const apis = addApis(this, routes, stage);
    const log = new LogGroup(this, 'Log', { retention: stage.logRetention, removalPolicy: stage.removal });
    const { address, distribution } = addCdn(this, { files, apis, secrets, stage });
    const resources: Resources = {
      stage,
      bundles,
      files,
      secrets,
      log,
      table: addTable(this, stage),
      queues: addQueues(this, workers),
      imaging: addImaging(this),
      address,
      ownNames: [distribution.distributionDomainName, ...[...apis.values()].map(hostOf)],
      roleFor: roleFor(this, stage, log),
    };
    this.areas = addAreas(this, routes, resources);
    // CloudFront must stop sending a retired secret before functions stop accepting it.
    for (const part of [...this.areas, ...addFixed(this, resources)]) part.node.addDependency(distribution);
    addWorkers(this, workers, resources);
    const following = addStreamConsumer(this, follower, resources);
    addAlarms(this, apis, following, resources);
    addDashboard(this, apis, following, resources);
    new CfnOutput(this, 'Address', { value: address });
    new CfnOutput(this, 'Distribution', { value: distribution.distributionDomainName });
    new CfnOutput(this, 'TableName', { value: resources.table.tableName });
    new CfnOutput(this, 'TimeZone', { value: stage.timeZone });
  }
}

/** Functions without a route: one for all other addresses, and the reference. */
const FIXED = [
  {
    id: 'Unserved',
    name: UNSERVED_NAME,
    description: 'Answers 404, or 405 where another method is served',
    bundle: NOT_FOUND_BUNDLE,
  },
  {
    id: 'Reference',
    name: REFERENCE_NAME,
    description: 'Serves the reference: /docs and /openapi.json',
    bundle: REFERENCE,
  },
];

function addFixed(scope: Construct, resources: Resources): IFunction[] {
  const needs = callerPermissions(resources);
  return FIXED.map(({ id, name, ...props }) => {
    const named = { ...props, name: `${functionPrefix(resources.stage)}${name}` };
    return addFunction(scope, id, { ...named, handler: 'handler', needs }, resources).lambda;
  });
}
