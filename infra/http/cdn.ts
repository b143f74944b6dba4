import { Annotations, Duration } from 'aws-cdk-lib';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { Distribution, HttpVersion, SecurityPolicyProtocol } from 'aws-cdk-lib/aws-cloudfront';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { type Files, importBucket } from '#infra/resources/files.ts';
import type { Stage } from '#infra/stage.ts';
import { apiBehaviors, filesBehavior, type Origins } from './behaviors.ts';

/**
 * Errors that CloudFront keeps for ten seconds, most of them whatever they say of themselves, and under
 * nothing but the path: one caller's failure would be every caller's. 410 can't be named here; like all
 * answers it says `no-store`, which counts for that one.
 */
const KEPT_BY_ITSELF = [404, 405, 414, 500, 501, 502, 503, 504];

/** The content network. */
export interface Cdn {
  readonly distribution: Distribution;
  /** The service's address: `https://d111111abcdef8.cloudfront.net`, without a slash. */
  readonly address: string;
}

/**
 * Adds the content network before everything: the one address. Public files come from the bucket, all else
 * from the API of its area. It proves itself to functions by a secret header, so that nobody can go past it.
 */
export function addCdn(scope: Construct, behind: Origins): Cdn {
  const { files, stage } = behind;
  const parts = new Construct(scope, 'Edge');
  const { defaultBehavior, byPattern } = apiBehaviors(parts, behind);
  const distribution = new Distribution(parts, 'Network', {
    comment: `The retail back office, ${stage.name}`,
    defaultBehavior,
    additionalBehaviors: { '/public/*': filesBehavior(parts, behind), ...byPattern },
    errorResponses: KEPT_BY_ITSELF.map((httpStatus) => ({ httpStatus, ttl: Duration.seconds(0) })),
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
  letRead(distribution, files);
  return { distribution, address: `https://${stage.domain?.name ?? distribution.distributionDomainName}` };
}

function warnOfNoWebAcl(distribution: Distribution, { isProtected, webAcl }: Stage): void {
  if (!isProtected || webAcl) return;
  Annotations.of(distribution).addWarningV2(
    'retail:web-acl',
    'No web ACL stands before this stage: one caller can take all calls of it. docs/deployment.md tells of WEB_ACL.',
  );
}

/** Lets the network read the public files, and no others. */
function letRead({ distributionArn }: Distribution, { bucket }: Files): void {
  bucket.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('cloudfront.amazonaws.com')],
      actions: ['s3:GetObject'],
      resources: [bucket.arnForObjects('public/*')],
      conditions: { StringEquals: { 'AWS:SourceArn': distributionArn } },
    }),
  );
}
