import { Duration, Fn, Stack } from 'aws-cdk-lib';
import type { CfnApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import type { Construct } from 'constructs';
import { type ApiArea, AREA_NAMES, DEFAULT_AREA, patternsOf } from '#infra/areas.ts';
import { type Files, importBucket } from '#infra/resources/files.ts';
import { type Secrets, secretReference } from '#infra/resources/secrets.ts';
import type { Stage } from '#infra/stage.ts';
import { ORIGIN_HEADER, VIEWER_HEADER } from '#lib/http/edge.ts';
import type { Apis } from './apis.ts';
import { refusesAll } from './closed.ts';

/** API Gateway ends a call after 30 seconds; its own answer to that should still come through. */
const PATIENCE = Duration.seconds(35);

/**
 * Tells functions who calls. CloudFront's own header for that, `CloudFront-Viewer-Address`, can't come with
 * all other headers but `Host`, which API Gateway must not get: a policy names ten headers, or all.
 */
export const FORWARD_VIEWER = `function handler(event) {
  var request = event.request;
  request.headers['${VIEWER_HEADER}'] = { value: event.viewer.ip };
  return request;
}`;

/** The parts of the stack behind the network. */
export interface Origins {
  readonly files: Files;
  readonly apis: Apis;
  readonly secrets: Secrets;
  readonly stage: Stage;
}

/** Sends calls to the API of their area: by the patterns of its paths, or to the rest. */
export function apiBehaviors(parts: Construct, { apis, secrets, stage }: Origins) {
  const viewer = new EdgeFunction(parts, 'Viewer', {
    comment: 'Tells functions the address of the caller',
    code: FunctionCode.fromInline(stage.isClosed ? refusesAll() : FORWARD_VIEWER),
    runtime: FunctionRuntime.JS_2_0,
  });
  const behaviorOf = (area: ApiArea): BehaviorOptions => ({
    origin: originOf(parts, area, apis, secrets),
    allowedMethods: AllowedMethods.ALLOW_ALL,
    // A token must not be asked for over plain HTTP by a redirect that comes too late.
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    // Also what no function says may be read by browsers: the gateway's own refusals.
    responseHeadersPolicy: ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS_AND_SECURITY_HEADERS,
    functionAssociations: [{ function: viewer, eventType: FunctionEventType.VIEWER_REQUEST }],
    compress: false,
  });
  const patterns = AREA_NAMES.filter((area) => area !== DEFAULT_AREA).flatMap((area) => {
    const behavior = behaviorOf(area);
    return patternsOf(area).map((pattern) => [pattern, behavior] as const);
  });
  return { byPattern: Object.fromEntries(patterns), defaultBehavior: behaviorOf(DEFAULT_AREA) };
}

/** Shows the public files of the bucket. */
export function filesBehavior(parts: Construct, { files, stage }: Origins): BehaviorOptions {
  const accessControl = new S3OriginAccessControl(parts, 'Access', {
    // Its name is one in the whole account, and the stage may stand in another region too.
    originAccessControlName: `retail-${stage.name}-${Stack.of(parts).region}`,
  });
  return {
    origin: S3BucketOrigin.withBucketDefaults(importBucket(parts, 'Origin', files.bucket), {
      originAccessControlId: accessControl.originAccessControlId,
    }),
    viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
    cachePolicy: CachePolicy.CACHING_OPTIMIZED,
    responseHeadersPolicy: ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS_AND_SECURITY_HEADERS,
  };
}

/** Names an API's own host, behind the content network. */
export function hostOf(api: CfnApi): string {
  const { region, urlSuffix } = Stack.of(api);
  return Fn.join('.', [api.ref, 'execute-api', region, urlSuffix]);
}

function originOf(scope: Construct, area: ApiArea, apis: Apis, { origin }: Secrets): HttpOrigin {
  const api = apis.get(area);
  if (!api) throw new Error(`There is no API of ${area}`);
  return new HttpOrigin(hostOf(api), {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    readTimeout: PATIENCE,
    customHeaders: { [ORIGIN_HEADER]: secretReference(scope, origin.used) },
  });
}
