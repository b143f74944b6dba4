import { CfnOutput, type NestedStack, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { addAlarms } from './alarms.ts';
import { addApi, serveRoutes } from './api.ts';
import { addRoutes } from './areas.ts';
import type { Bundles } from './bundle/bundle-functions.ts';
import { REFERENCE, UNSERVED } from './bundle/sources.ts';
import { addFiles } from './files.ts';
import { addFunction } from './function.ts';
import { addImaging } from './imaging.ts';
import { addQueues } from './queues.ts';
import { REFERENCE_ROUTES } from './reference/reference-site.ts';
import type { Resources } from './resources.ts';
import type { Route } from './routes.ts';
import { addSchedules } from './schedules.ts';
import { addSecrets } from './secrets.ts';
import { stageOf } from './stage.ts';
import { addTable } from './table.ts';
import type { WorkerFunction } from './worker-functions.ts';
import { addWorkers } from './workers.ts';

/** The parts of a deployment. */
export interface RetailProps {
  readonly routes: readonly Route[];
  readonly workers: readonly WorkerFunction[];
  readonly bundles: Bundles;
}

/** The whole service of a stage: shared resources here, routes in nested stacks. */
export class RetailStack extends Stack {
  readonly areas: readonly NestedStack[];

  constructor(app: Construct, { routes, workers, bundles }: RetailProps) {
    const stage = stageOf(app.node);
    super(app, `retail-${stage.name}`, {
      description: `Retail back office, ${stage.name}`,
      terminationProtection: stage.isProtected,
    });
    const resources: Resources = {
      stage,
      bundles,
      table: addTable(this, stage),
      files: addFiles(this, stage),
      secrets: addSecrets(this, stage),
      queues: addQueues(this, workers),
      imaging: addImaging(this),
    };
    const api = addApi(this, stage);
    this.areas = addRoutes(this, routes, api, resources);
    serveRoutes(api, addUnserved(this, resources), ['$default']);
    serveRoutes(api, addReference(this, resources), REFERENCE_ROUTES);
    addWorkers(this, workers, resources);
    addSchedules(this, workers, resources);
    addAlarms(this, api, resources);
    new CfnOutput(this, 'Address', { value: api.attrApiEndpoint });
    new CfnOutput(this, 'TableName', { value: resources.table.tableName });
  }
}

/** Needs of a function without any use. */
const NOTHING = { statements: [], settings: {}, isSecret: false, storesFiles: false };

/** Adds the function of every address that no route has. */
function addUnserved(scope: Construct, resources: Resources) {
  const description = 'Answers 404, or 405 where another method is served';
  return addFunction(
    scope,
    'Unserved',
    { description, bundle: UNSERVED, handler: 'handler', needs: NOTHING },
    resources,
  );
}

/** Adds the function of the reference: the OpenAPI document and the page that shows it. */
function addReference(scope: Construct, resources: Resources) {
  const description = 'Serves the reference: /docs and /openapi.json';
  return addFunction(
    scope,
    'Reference',
    { description, bundle: REFERENCE, handler: 'handler', needs: NOTHING },
    resources,
  );
}
