import { Duration, Stack, Validations } from 'aws-cdk-lib';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type BucketProps,
  CfnBucket,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { BUCKET_CORS } from '#infra/cors.ts';
import type { Stage } from '#infra/stage.ts';

/** The bucket, and the bucket of its access logs. */
export interface Files {
  readonly bucket: Bucket;
  readonly logs: Bucket;
}

/** Adds the private bucket. CloudFront serves its `public/`. */
export function addFiles(scope: Construct, stage: Stage): Files {
  const parts = new Construct(scope, 'Files');
  const logs = addBucket(parts, 'AccessLogs', stage, {
    // CloudFront writes its logs with an access control list.
    objectOwnership: ObjectOwnership.BUCKET_OWNER_PREFERRED,
    lifecycleRules: [{ expiration: Duration.days(90) }],
  });
  const bucket = addBucket(parts, 'Bucket', stage, {
    serverAccessLogsBucket: importBucket(parts, 'LogsOfBucket', logs),
    serverAccessLogsPrefix: 'bucket/',
    // A key is never written twice, so versions only serve to undo a removal.
    versioned: stage.isProtected,
    cors: [
      {
        allowedMethods: BUCKET_CORS.allowMethods.map((method) => HttpMethods[method]),
        allowedOrigins: [...BUCKET_CORS.allowOrigins],
        allowedHeaders: [...BUCKET_CORS.allowHeaders],
        exposedHeaders: [...BUCKET_CORS.exposeHeaders],
      },
    ],
    lifecycleRules: [
      { prefix: 'exports/', expiration: Duration.days(7) },
      { prefix: 'incoming/', expiration: Duration.days(1) },
      {
        noncurrentVersionExpiration: Duration.days(30),
        // A delete marker hides no version by then.
        expiredObjectDeleteMarker: true,
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
  });
  grantLogging(bucket, logs);
  return { bucket, logs };
}

/** Allows the bucket to write its log. */
function grantLogging(bucket: Bucket, logs: Bucket): void {
  Validations.of(bucket).acknowledge({
    id: 'Annotation::@aws-cdk/aws-s3:accessLogsPolicyNotAdded',
    reason: 'The statement below adds it.',
  });
  logs.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('logging.s3.amazonaws.com')],
      actions: ['s3:PutObject'],
      resources: [logs.arnForObjects('bucket/*')],
      conditions: { ArnLike: { 'aws:SourceArn': bucket.bucketArn } },
    }),
  );
}

function addBucket(scope: Construct, id: string, { removal }: Stage, props: BucketProps): Bucket {
  return new Bucket(scope, id, {
    encryption: BucketEncryption.S3_MANAGED,
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    enforceSSL: true,
    removalPolicy: removal,
    ...props,
  });
}

/**
 * Makes a bucket notify a queue of uploads to a folder. CDK's own way adds a function that configures the
 * bucket.
 */
export function notifyOnUpload(bucket: Bucket, folder: string, queue: Queue): void {
  const made = bucket.node.defaultChild;
  if (!(made instanceof CfnBucket)) throw new Error('A bucket of CDK is one of CloudFormation');
  const rules = [{ name: 'prefix', value: folder }];
  made.notificationConfiguration = {
    queueConfigurations: [
      { event: 's3:ObjectCreated:*', queue: queue.queueArn, filter: { s3Key: { rules } } },
    ],
  };
  queue.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('s3.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      // By account: the bucket depends on this policy, so it can't be referred to here.
      conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(bucket).account } },
    }),
  );
  bucket.node.addDependency(queue.node.findChild('Policy'));
}

/**
 * Imports a bucket as CDK's interface, which its class doesn't satisfy under TypeScript's exact optional
 * properties.
 */
export function importBucket(scope: Construct, id: string, bucket: Bucket): IBucket {
  return Bucket.fromBucketName(scope, id, bucket.bucketName);
}
