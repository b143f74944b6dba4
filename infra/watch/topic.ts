import { CfnOutput, Stack } from 'aws-cdk-lib';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { Construct } from 'constructs';
import type { Stage } from '#infra/stage.ts';

/**
 * Adds the topic of alarms. Its policy takes the place of the usual one, so it has to let CloudWatch in; so
 * has its key.
 */
export function addTopic(scope: Construct, { removal, alarmEmail }: Stage): Topic {
  const key = new Key(scope, 'Key', {
    description: 'Alarms of the retail back office',
    enableKeyRotation: true,
    removalPolicy: removal,
  });
  const cloudWatch = {
    effect: Effect.ALLOW,
    principals: [new ServicePrincipal('cloudwatch.amazonaws.com')],
    conditions: { StringEquals: { 'aws:SourceAccount': Stack.of(scope).account } },
  };
  key.addToResourcePolicy(
    new PolicyStatement({
      ...cloudWatch,
      actions: ['kms:Decrypt', 'kms:GenerateDataKey*'],
      resources: ['*'],
    }),
  );
  const topic = new Topic(scope, 'Topic', { masterKey: key, enforceSSL: true });
  topic.addToResourcePolicy(
    new PolicyStatement({ ...cloudWatch, actions: ['sns:Publish'], resources: [topic.topicArn] }),
  );
  if (alarmEmail !== undefined) topic.addSubscription(new EmailSubscription(alarmEmail));
  new CfnOutput(Stack.of(scope), 'AlarmsTopic', { value: topic.topicArn });
  return topic;
}
