import { Fn, Stack } from 'aws-cdk-lib';
import { CfnApi, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { FilterPattern, LogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { type ApiArea, AREA_NAMES, areaOf, DEFAULT_AREA } from '#infra/areas.ts';
import { CORS } from '#infra/cors.ts';
import { functionName, functionPrefix, LIVE } from '#infra/function-name.ts';
import { REFERENCE_ROUTES } from '#infra/reference/reference-site.ts';
import { functionsOf } from '#infra/route-functions.ts';
import { type Route, UNSERVED_ROUTES } from '#infra/routes.ts';
import type { Stage } from '#infra/stage.ts';
import { apiDocument, type InvokedFunction } from './document.ts';

/** The HTTP API of each area. */
export type Apis = ReadonlyMap<ApiArea, CfnApi>;

/**
 * Names of the functions that no file of `functions/` has: for addresses without a route, and the reference.
 */
export const UNSERVED_NAME = 'unserved';
export const REFERENCE_NAME = 'reference';

/**
 * What an account has, as a rule, for all its APIs: calls a second, and at once. A stage takes as many as
 * that. Beyond, the gateway answers 429 in its own words, which an HTTP API has no way to change.
 */
const ACCOUNT_THROTTLE = { throttlingRateLimit: 10_000, throttlingBurstLimit: 5000 };

/** Counts calls that the gateway refused by itself. */
export const THROTTLED = 'throttled_at_gateway';

/** The fields of a line in the access log: nothing that a caller sent except the path. */
const ACCESS_LOG = {
  request_id: '$context.requestId',
  route: '$context.routeKey',
  path: '$context.path',
  status: '$context.status',
  latency_ms: '$context.responseLatency',
  integration_ms: '$context.integrationLatency',
  error: '$context.integrationErrorMessage',
};

/**
 * Adds an HTTP API for each area, open to browsers by `CORS`. Each is two calls of the control plane. They
 * know their functions by name only, so that the functions may know the address that all of this is behind.
 */
export function addApis(scope: Construct, routes: readonly Route[], stage: Stage): Apis {
  const parts = new Construct(scope, 'Http');
  const role = invokingRole(parts, stage);
  const log = new LogGroup(parts, 'AccessLog', {
    retention: stage.logRetention,
    removalPolicy: stage.removal,
  });
  countThrottled(parts, log);
  const byArea = Map.groupBy(routes, ({ path }) => areaOf(path));
  return new Map(
    AREA_NAMES.map((area) => [
      area,
      addApi(parts, area, targetsOf(byArea.get(area) ?? [], area, stage), { stage, role, log }),
    ]),
  );
}

interface Around {
  readonly stage: Stage;
  readonly role: Role;
  readonly log: LogGroup;
}

function addApi(
  scope: Construct,
  area: ApiArea,
  targets: readonly InvokedFunction[],
  { stage, role, log }: Around,
): CfnApi {
  const own = new Construct(scope, area);
  const body = apiDocument(`${functionPrefix(stage)}${area}`, targets, {
    cors: corsOf(CORS),
    // One text each, as CloudFormation fills it in: joined of parts, a template would pass 1 MB.
    uriOf: (name) => Fn.sub(invocationOf(name)),
    role: role.roleArn,
  });
  // A warning of the importer's about our document is no reason to take a whole deployment back.
  const api = new CfnApi(own, 'Api', { body, failOnWarnings: false });
  new CfnStage(own, 'Stage', {
    apiId: api.ref,
    stageName: '$default',
    autoDeploy: true,
    accessLogSettings: { destinationArn: log.logGroupArn, format: formatOf(stage) },
    // Metrics of each route would cost more than the calls: the log has them. Throttles are for all callers
    // together, so that a low one would let a single caller keep out all others.
    defaultRouteSettings: { ...ACCOUNT_THROTTLE, detailedMetricsEnabled: false },
  });
  return api;
}

function formatOf({ name }: Stage): string {
  return JSON.stringify({ ...ACCESS_LOG, stage: name });
}

/** Counts calls that came to no function, as the gateway had too many: no function's log tells of them. */
function countThrottled(scope: Construct, logGroup: LogGroup): void {
  new MetricFilter(scope, 'Throttled', {
    logGroup,
    metricNamespace: 'Retail',
    metricName: THROTTLED,
    dimensions: { stage: '$.stage' },
    filterPattern: FilterPattern.all(
      FilterPattern.stringValue('$.status', '=', '429'),
      FilterPattern.stringValue('$.integration_ms', '=', '-'),
    ),
  });
}

/** Lists the functions that serve an area. Every area answers for addresses without a route. */
function targetsOf(routes: readonly Route[], area: ApiArea, stage: Stage): InvokedFunction[] {
  const served = routes.flatMap((route) =>
    functionsOf(route).map(({ method, routeKeys }) => ({
      name: functionName(stage, area, `${method} ${route.path}`),
      routeKeys,
    })),
  );
  const reference = { name: `${functionPrefix(stage)}${REFERENCE_NAME}`, routeKeys: REFERENCE_ROUTES };
  const unserved = { name: `${functionPrefix(stage)}${UNSERVED_NAME}`, routeKeys: UNSERVED_ROUTES };
  return [...served, ...(area === DEFAULT_AREA ? [reference] : []), unserved];
}

/** Adds the role by which the APIs invoke functions: a permission on each function would be as many calls. */
function invokingRole(scope: Construct, stage: Stage): Role {
  const { partition, region, account } = Stack.of(scope);
  return new Role(scope, 'Invoking', {
    description: 'Lets the APIs invoke the functions of this stage',
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    inlinePolicies: {
      Invoke: new PolicyDocument({
        statements: [
          new PolicyStatement({
            actions: ['lambda:InvokeFunction'],
            resources: [`arn:${partition}:lambda:${region}:${account}:function:${functionPrefix(stage)}*`],
          }),
        ],
      }),
    },
  });
}

/** Writes the rules for browsers in the document's words. */
function corsOf({ maxAgeSeconds, ...lists }: typeof CORS) {
  return { ...lists, maxAge: maxAgeSeconds };
}

/** Gives the address by which an API invokes a function, as a text for `Fn::Sub`. */
function invocationOf(name: string): string {
  const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((each) => `\${AWS::${each}}`);
  const target = `arn:${partition}:lambda:${region}:${account}:function:${name}:${LIVE}`;
  return `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${target}/invocations`;
}
