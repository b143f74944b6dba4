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

/** API Gateway times out after 30 seconds; its own response should still get through. */
const ORIGIN_TIMEOUT = Duration.seconds(35);

/**
 * Passes the caller's address to functions. CloudFront's own header, `CloudFront-Viewer-Address`, can't be
 * combined with all other headers except `Host`, which API Gateway must not get: a policy lists ten headers,
 * or all.
 */
export const FORWARD_VIEWER = `function handler(event) {
  var request = event.request;
  request.headers['${VIEWER_HEADER}'] = { value: event.viewer.ip };
  return request;
}`;

/** Origins behind CloudFront. */
export interface Origins {
  readonly files: Files;
  readonly apis: Apis;
  readonly secrets: Secrets;
  readonly stage: Stage;
}

/** Routes requests to the API of their area, by path pattern or to the default one. */
export function apiBehaviors(parts: Construct, { apis, secrets, stage }: Origins) {
  const viewer = new EdgeFunction(parts, 'Viewer', {
    comment: 'Tells functions the address of the caller',
    code: FunctionCode.fromInline(stage.isClosed ? refusesAll() : FORWARD_VIEWER),
    runtime: FunctionRuntime.JS_2_0,
  });
  const behaviorOf = (area: ApiArea): BehaviorOptions => ({
    origin: originOf(parts, area, apis, secrets),
    allowedMethods: AllowedMethods.ALLOW_ALL,
    // No redirect from plain HTTP: the token would already have been sent unencrypted.
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    // Responses of the gateway itself must be readable by browsers too.
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

/** Serves the public files of the bucket. */
export function filesBehavior(parts: Construct, { files, stage }: Origins): BehaviorOptions {
  const accessControl = new S3OriginAccessControl(parts, 'Access', {
    // The name is unique in the account, and the stage may exist in another region too.
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

/** Returns the own host name of an API, behind CloudFront. */
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
    readTimeout: ORIGIN_TIMEOUT,
    customHeaders: { [ORIGIN_HEADER]: secretReference(scope, origin.used) },
  });
}
