import { Stack } from 'aws-cdk-lib';
import { CfnApi, CfnIntegration, CfnRoute, CfnStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { CfnPermission, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { CORS } from './cors.ts';
import type { Stage } from './stage.ts';

/** The fields of a line in the access log: nothing that a caller sent except the path. */
const ACCESS_LOG = {
  request_id: '$context.requestId',
  route: '$context.routeKey',
  path: '$context.path',
  status: '$context.status',
  latency_ms: '$context.responseLatency',
  integration_ms: '$context.integrationLatency',
  error: '$context.integrationErrorMessage',
  ip: '$context.identity.sourceIp',
};

/** Adds the HTTP API, open to browsers by `CORS`, with its one stage at the root of the address. */
export function addApi(scope: Construct, { name, logRetention, removal }: Stage): CfnApi {
  const parts = new Construct(scope, 'Http');
  const api = new CfnApi(parts, 'Api', {
    name: `retail-back-office-${name}`,
    protocolType: 'HTTP',
    corsConfiguration: {
      allowOrigins: [...CORS.allowOrigins],
      allowMethods: [...CORS.allowMethods],
      allowHeaders: [...CORS.allowHeaders],
      exposeHeaders: [...CORS.exposeHeaders],
      maxAge: CORS.maxAgeSeconds,
    },
  });
  const log = new LogGroup(parts, 'AccessLog', { retention: logRetention, removalPolicy: removal });
  new CfnStage(parts, 'Stage', {
    apiId: api.ref,
    stageName: '$default',
    autoDeploy: true,
    accessLogSettings: { destinationArn: log.logGroupArn, format: JSON.stringify(ACCESS_LOG) },
    defaultRouteSettings: {
      throttlingRateLimit: 1000,
      throttlingBurstLimit: 2000,
      detailedMetricsEnabled: true,
    },
  });
  return api;
}

/** Has the API send calls of these routes to a function: a permission, an integration, and the routes. */
export function serveRoutes(api: CfnApi, target: LambdaFunction, routeKeys: readonly string[]): void {
  const parts = new Construct(target, 'Routes');
  const { partition, region, account } = Stack.of(target);
  new CfnPermission(parts, 'Permission', {
    action: 'lambda:InvokeFunction',
    principal: 'apigateway.amazonaws.com',
    functionName: target.functionArn,
    sourceArn: `arn:${partition}:execute-api:${region}:${account}:${api.ref}/*`,
  });
  const integration = new CfnIntegration(parts, 'Integration', {
    apiId: api.ref,
    integrationType: 'AWS_PROXY',
    integrationUri: target.functionArn,
    payloadFormatVersion: '2.0',
  });
  for (const [index, routeKey] of routeKeys.entries()) {
    new CfnRoute(parts, routeName(routeKey, routeKeys.slice(0, index)), {
      apiId: api.ref,
      routeKey,
      authorizationType: 'NONE',
      target: `integrations/${integration.ref}`,
    });
  }
}

/**
 * Names a route by its method, as most functions serve one path; by the whole route if an earlier one has
 * that name.
 */
function routeName(routeKey: string, earlier: readonly string[]): string {
  const [method = ''] = routeKey.split(' ');
  const isTaken = earlier.some((each) => each.startsWith(`${method} `));
  return isTaken ? routeKey.replaceAll(/\W/g, '') : method;
}
