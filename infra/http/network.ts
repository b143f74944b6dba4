import { Annotations, Duration, Fn, Stack } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  AllowedMethods,
  type BehaviorOptions,
  CachePolicy,
  Distribution,
  Function as EdgeFunction,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
  HttpVersion,
  OriginProtocolPolicy,
  OriginRequestPolicy,
  OriginSslPolicy,
  ResponseHeadersPolicy,
  S3OriginAccessControl,
  SecurityPolicyProtocol,
  ViewerProtocolPolicy,
} from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin, S3BucketOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { type ApiArea, AREA_NAMES, patternsOf, REST } from '#infra/areas.ts';
import { type Files, seenFrom } from '#infra/resources/files.ts';
import { type Secrets, secretReference } from '#infra/resources/secrets.ts';
import type { Stage } from '#infra/stage.ts';
import { ORIGIN_HEADER, VIEWER_HEADER } from '#lib/http/entrance.ts';
import type { Apis } from './apis.ts';

/** API Gateway ends a call after 30 seconds; its own answer to that should still come through. */
const PATIENCE = Duration.seconds(35);

/**
 * Errors that CloudFront keeps for ten seconds, most of them whatever they say of themselves, and under
 * nothing but the path: one caller's failure would be every caller's. 410 can't be named here; like all
 * answers it says `no-store`, which counts for that one.
 */
const KEPT_BY_ITSELF = [404, 405, 414, 500, 501, 502, 503, 504];

/**
 * Tells functions who calls. CloudFront's own header for that, `CloudFront-Viewer-Address`, can't come with
 * all other headers but `Host`, which API Gateway must not get: a policy names ten headers, or all.
 */
export const TELLS_VIEWER = `function handler(event) {
  var request = event.request;
  request.headers['${VIEWER_HEADER}'] = { value: event.viewer.ip };
  return request;
}`;

/** The content network. */
export interface Network {
  readonly distribution: Distribution;
  /** The service's address: `https://d111111abcdef8.cloudfront.net`, without a slash. */
  readonly address: string;
}

/**
 * Adds the content network before everything: the one address. Public files come from the bucket, all else
 * from the API of its area. It proves itself to functions by a secret header, so that nobody can go past it.
 */
export function addNetwork(
  scope: Construct,
  { files, apis, secrets, stage }: { files: Files; apis: Apis; secrets: Secrets; stage: Stage },
): Network {
  const { bucket, logs } = files;
  const parts = new Construct(scope, 'Edge');
  const viewer = new EdgeFunction(parts, 'Viewer', {
    comment: 'Tells functions the address of the caller',
    code: FunctionCode.fromInline(TELLS_VIEWER),
    runtime: FunctionRuntime.JS_2_0,
  });
  const behaviorOf = (area: ApiArea): BehaviorOptions => ({
    origin: originOf(parts, area, apis, secrets),
    allowedMethods: AllowedMethods.ALLOW_ALL,
    // A token must not be asked for over plain HTTP by a redirect that comes too late.
    viewerProtocolPolicy: ViewerProtocolPolicy.HTTPS_ONLY,
    cachePolicy: CachePolicy.CACHING_DISABLED,
    originRequestPolicy: OriginRequestPolicy.ALL_VIEWER_EXCEPT_HOST_HEADER,
    responseHeadersPolicy: ResponseHeadersPolicy.SECURITY_HEADERS,
    functionAssociations: [{ function: viewer, eventType: FunctionEventType.VIEWER_REQUEST }],
    compress: false,
  });
  const patterns = AREA_NAMES.flatMap((area) => {
    const behavior = area === REST ? undefined : behaviorOf(area);
    return behavior ? patternsOf(area).map((pattern) => [pattern, behavior] as const) : [];
  });
  const accessControl = new S3OriginAccessControl(parts, 'Access', {
    // Its name is one in the whole account, and the stage may stand in another region too.
    originAccessControlName: `retail-${stage.name}-${Stack.of(scope).region}`,
  });
  const distribution = new Distribution(parts, 'Network', {
    comment: `The retail back office, ${stage.name}`,
    defaultBehavior: behaviorOf(REST),
    additionalBehaviors: {
      '/public/*': {
        origin: S3BucketOrigin.withBucketDefaults(seenFrom(parts, 'Origin', bucket), {
          originAccessControlId: accessControl.originAccessControlId,
        }),
        viewerProtocolPolicy: ViewerProtocolPolicy.REDIRECT_TO_HTTPS,
        cachePolicy: CachePolicy.CACHING_OPTIMIZED,
        responseHeadersPolicy: ResponseHeadersPolicy.CORS_ALLOW_ALL_ORIGINS_AND_SECURITY_HEADERS,
      },
      ...Object.fromEntries(patterns),
    },
    errorResponses: KEPT_BY_ITSELF.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    httpVersion: HttpVersion.HTTP2_AND_3,
    logBucket: seenFrom(parts, 'LogsOfNetwork', logs),
    logFilePrefix: 'network/',
    ...(stage.webAcl && { webAclId: stage.webAcl }),
    ...(stage.domain && {
      domainNames: [stage.domain.name],
      certificate: Certificate.fromCertificateArn(parts, 'Certificate', stage.domain.certificate),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    }),
  });
  if (stage.isProtected && !stage.webAcl) {
    Annotations.of(distribution).addWarningV2(
      'retail:web-acl',
      'No web ACL stands before this stage: one caller can take all calls of it. docs/deployment.md tells of WEB_ACL.',
    );
  }
  bucket.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      resources: [bucket.arnForObjects('public/*')],
      conditions: { StringEquals: { 'AWS:SourceArn': distribution.distributionArn } },
    }),
  );
  return {
    distribution,
    address: `https://${stage.domain?.name ?? distribution.distributionDomainName}`,
  };
}

function originOf(scope: Construct, area: ApiArea, apis: Apis, { origin }: Secrets): HttpOrigin {
  const api = apis.get(area);
  if (!api) throw new Error(`There is no API of ${area}`);
  const { region, urlSuffix } = Stack.of(scope);
  return new HttpOrigin(Fn.join('.', [api.ref, 'execute-api', region, urlSuffix]), {
    protocolPolicy: OriginProtocolPolicy.HTTPS_ONLY,
    originSslProtocols: [OriginSslPolicy.TLS_V1_2],
    readTimeout: PATIENCE,
    customHeaders: { [ORIGIN_HEADER]: secretReference(scope, origin.used) },
  });
}
