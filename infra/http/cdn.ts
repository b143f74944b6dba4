import { Annotations, Duration } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Distribution, HttpVersion, SecurityPolicyProtocol } from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { type Files, importBucket } from '#infra/resources/files.ts';
import type { Stage } from '#infra/stage.ts';
import { apiBehaviors, filesBehavior, type Origins } from './behaviors.ts';

/**
 * Error statuses that CloudFront caches for ten seconds by path alone, mostly regardless of the response's
 * headers: one caller's failure would be served to all. 410 can't be configured here; like all responses it
 * has `no-store`, which CloudFront respects for it.
 */
const CACHED_STATUSES = [404, 405, 414, 500, 501, 502, 503, 504];

/** The CloudFront distribution. */
export interface Cdn {
  readonly distribution: Distribution;
  /** Address of the service: `https://d111111abcdef8.cloudfront.net`, without a trailing slash. */
  readonly address: string;
}

/**
 * Adds the CloudFront distribution, the one address of the service. Public files come from the bucket,
 * everything else from the API of its area. A secret header proves to functions that a request came through
 * it, so that it can't be bypassed.
 */
export function addCdn(scope: Construct, behind: Origins): Cdn {
  const { files, stage } = behind;
  const parts = new Construct(scope, 'Edge');
  const { defaultBehavior, byPattern } = apiBehaviors(parts, behind);
  const distribution = new Distribution(parts, 'Network', {
    comment: `The retail back office, ${stage.name}`,
    defaultBehavior,
    additionalBehaviors: { '/public/*': filesBehavior(parts, behind), ...byPattern },
    errorResponses: CACHED_STATUSES.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
    httpVersion: HttpVersion.HTTP2_AND_3,
    logBucket: importBucket(parts, 'LogsOfNetwork', files.logs),
    logFilePrefix: 'network/',
    ...(stage.webAcl && { webAclId: stage.webAcl }),
    ...(stage.domain && {
      domainNames: [stage.domain.name],
      certificate: Certificate.fromCertificateArn(parts, 'Certificate', stage.domain.certificate),
      minimumProtocolVersion: SecurityPolicyProtocol.TLS_V1_2_2021,
    }),
  });
  warnOfNoWebAcl(distribution, stage);
  grantRead(distribution, files);
  return { distribution, address: `https://${stage.domain?.name ?? distribution.distributionDomainName}` };
}

function warnOfNoWebAcl(distribution: Distribution, { isProtected, webAcl }: Stage): void {
  if (!isProtected || webAcl) return;
  Annotations.of(distribution).addWarningV2(
    'retail:web-acl',
    'No web ACL stands before this stage: one caller can take all calls of it. docs/deployment.md tells of WEB_ACL.',
  );
}

/** Grants the distribution reading the public files only. */
function grantRead({ distributionArn }: Distribution, { bucket }: Files): void {
  bucket.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      resources: [bucket.arnForObjects('public/*')],
      conditions: { StringEquals: { 'AWS:SourceArn': distributionArn } },
    }),
  );
}
