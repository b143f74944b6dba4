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
import { TILL_ROUTES } from '#infra/till-site.ts';
import { apiDocument, type InvokedFunction } from './document.ts';

/** HTTP API of each area. */
export type Apis = ReadonlyMap<ApiArea, CfnApi>;

/** Names of the functions without a file in `functions/`: for unknown addresses, and the reference. */
export const UNSERVED_NAME = 'unserved';
export const REFERENCE_NAME = 'reference';

/**
 * Usual account limits for all APIs: requests per second, and concurrent ones. A stage accepts as many.
 * Beyond them the gateway responds 429 with a fixed body, which an HTTP API can't change.
 */
const ACCOUNT_THROTTLE = { throttlingRateLimit: 10_000, throttlingBurstLimit: 5000 };

/** Counts requests rejected by the gateway itself. */
export const THROTTLED = 'throttled_at_gateway';

/** Fields of the access log: of the caller's data only the path. */
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
 * Adds an HTTP API for each area, with the CORS rules. Each takes two calls of the control plane. They refer
 * to their functions by name only, so that the functions can be given the address in front of the APIs.
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
    // One string each, substituted by CloudFormation: joined from parts, a template would exceed 1 MB.
    uriOf: (name) => Fn.sub(invocationOf(name)),
    role: role.roleArn,
  });
  // An importer's warning about the document must not roll back a deployment.
  const api = new CfnApi(own, 'Api', { body, failOnWarnings: false });
  new CfnStage(own, 'Stage', {
    apiId: api.ref,
    stageName: '$default',
    autoDeploy: true,
    accessLogSettings: { destinationArn: log.logGroupArn, format: formatOf(stage) },
    // Metrics by route would cost more than the requests: the log has them. Throttles apply to all callers
    // together, so a low one would let a single caller lock out all others.
    defaultRouteSettings: { ...ACCOUNT_THROTTLE, detailedMetricsEnabled: false },
  });
  return api;
}

function formatOf({ name }: Stage): string {
  return JSON.stringify({ ...ACCESS_LOG, stage: name });
}

/** Counts requests that the gateway throttled before any function: no function logs them. */
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

/** Lists the functions of an area. Every area has the one for unknown addresses. */
function targetsOf(routes: readonly Route[], area: ApiArea, stage: Stage): InvokedFunction[] {
  const served = routes.flatMap((route) =>
    functionsOf(route).map(({ method, routeKeys }) => ({
      name: functionName(stage, area, `${method} ${route.path}`),
      routeKeys,
    })),
  );
  const sites = stage.servesTill ? [...REFERENCE_ROUTES, ...TILL_ROUTES] : REFERENCE_ROUTES;
  const reference = { name: `${functionPrefix(stage)}${REFERENCE_NAME}`, routeKeys: sites };
  const unserved = { name: `${functionPrefix(stage)}${UNSERVED_NAME}`, routeKeys: UNSERVED_ROUTES };
  return [...served, ...(area === DEFAULT_AREA ? [reference] : []), unserved];
}

/**
 * Adds the role by which the APIs invoke functions: a permission for each function would take as many calls.
 */
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

/** Returns the CORS rules in the document's format. */
function corsOf({ maxAgeSeconds, ...lists }: typeof CORS) {
  return { ...lists, maxAge: maxAgeSeconds };
}

/** Returns the URI by which an API invokes a function, for `Fn::Sub`. */
function invocationOf(name: string): string {
  const [partition, region, account] = ['Partition', 'Region', 'AccountId'].map((each) => `\${AWS::${each}}`);
  const target = `arn:${partition}:lambda:${region}:${account}:function:${name}:${LIVE}`;
  return `arn:${partition}:apigateway:${region}:lambda:path/2015-03-31/functions/${target}/invocations`;
}
