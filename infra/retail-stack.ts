import { CfnOutput, type NestedStack, Stack } from 'aws-cdk-lib';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { addAreas } from './area-stacks.ts';
import type { Bundles } from './bundle/bundle-functions.ts';
import { REFERENCE, UNSERVED } from './bundle/sources.ts';
import { addFiles } from './files.ts';
import { addFunction } from './function.ts';
import { functionPrefix } from './function-name.ts';
import { addApis, REFERENCE_NAME, UNSERVED_NAME } from './http/apis.ts';
import { addImaging } from './imaging.ts';
import { needsOfCaller } from './needs.ts';
import { addNetwork } from './network.ts';
import { addQueues } from './queues.ts';
import type { Resources } from './resources.ts';
import { roleOfNeeds } from './roles.ts';
import type { Route } from './routes.ts';
import { addSchedules } from './schedules.ts';
import { addSecrets } from './secrets.ts';
import { stageOf } from './stage.ts';
import { addTable } from './table.ts';
import { addAlarms } from './watch/alarms.ts';
import { addDashboard } from './watch/dashboard.ts';
import type { WorkerFunction } from './worker-functions.ts';
import { addWorkers } from './workers.ts';

/** The parts of a deployment. */
export interface RetailProps {
  readonly routes: readonly Route[];
  readonly workers: readonly WorkerFunction[];
  readonly bundles: Bundles;
}

/** The whole service of a stage: shared resources here, the functions of each area in a nested stack. */
export class RetailStack extends Stack {
  readonly areas: readonly NestedStack[];

  constructor(app: Construct, { routes, workers, bundles }: RetailProps) {
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
    const { address, distribution } = addNetwork(this, { files, apis, secrets, stage });
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
      roleFor: roleOfNeeds(this, stage, log),
    };
    this.areas = addAreas(this, routes, resources);
    // A secret that goes out of use must no longer be sent when functions cease to believe it.
    for (const part of [...this.areas, ...addFixed(this, resources)]) part.node.addDependency(distribution);
    addWorkers(this, workers, resources);
    addSchedules(this, workers, resources);
    addAlarms(this, apis, resources);
    addDashboard(this, apis, resources);
    new CfnOutput(this, 'Address', { value: address });
    new CfnOutput(this, 'Distribution', { value: distribution.distributionDomainName });
    new CfnOutput(this, 'TableName', { value: resources.table.tableName });
    new CfnOutput(this, 'TimeZone', { value: stage.timeZone });
  }
}

/** Adds the functions that no route has: the one for all other addresses, and the reference. */
function addFixed(scope: Construct, resources: Resources): IFunction[] {
  const common = { handler: 'handler', needs: needsOfCaller(resources) };
  const prefix = functionPrefix(resources.stage);
  const unserved = addFunction(
    scope,
    'Unserved',
    {
      ...common,
      name: `${prefix}${UNSERVED_NAME}`,
      description: 'Answers 404, or 405 where another method is served',
      bundle: UNSERVED,
    },
    resources,
  );
  const reference = addFunction(
    scope,
    'Reference',
    {
      ...common,
      name: `${prefix}${REFERENCE_NAME}`,
      description: 'Serves the reference: /docs and /openapi.json',
      bundle: REFERENCE,
    },
    resources,
  );
  return [unserved.lambda, reference.lambda];
}
