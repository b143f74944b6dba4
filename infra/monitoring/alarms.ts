import { CfnOutput, Stack } from 'aws-cdk-lib';
import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { Alias } from 'aws-cdk-lib/aws-lambda';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Construct } from 'constructs';
import type { Resources } from '#infra/functions/resources.ts';
import type { Apis } from '#infra/http/apis.ts';
import type { Stage } from '#infra/stage.ts';
import {
  apiAlarms,
  figureAlarms,
  pulseAlarms,
  queueAlarms,
  streamAlarms,
  throttleAlarms,
} from './alarm-definitions.ts';

/** Page of the runbooks. */
const RUNBOOKS = 'docs/operate.md';

/** Adds actionable alarms. They notify a topic, to which operators subscribe. */
export function addAlarms(scope: Construct, apis: Apis, following: Alias, resources: Resources): void {
  const { stage } = resources;
  const parts = new Construct(scope, 'Alarms');
  const topic = addTopic(parts, stage);
  addBudget(parts, stage);
  const troubles = [
    ...queueAlarms(resources),
    ...streamAlarms(following),
    ...pulseAlarms(stage.name),
    ...apiAlarms(apis),
    ...figureAlarms(stage.name),
    ...throttleAlarms(resources),
  ];
  for (const { id, what, runbook, ...props } of troubles) {
    const alarm = new Alarm(parts, id, {
      evaluationPeriods: 1,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      treatMissingData: TreatMissingData.NOT_BREACHING,
      ...props,
      alarmDescription: `${what}. Runbook: ${RUNBOOKS}, "${runbook}"`,
    });
    alarm.addAlarmAction(new SnsAction(topic));
    alarm.addOkAction(new SnsAction(topic));
  }
}

/**
 * Adds the topic of alarms. Its policy replaces the default one, so it must admit CloudWatch; so must its
 * key.
 */
function addTopic(scope: Construct, { removal, alarmEmail }: Stage): Topic {
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

/**
 * Adds a monthly cost budget of the account, if the stage has one: operators are notified by mail once it is
 * spent, or forecast to be.
 */
function addBudget(scope: Construct, { name, alarmEmail, budget }: Stage): void {
  if (alarmEmail === undefined || budget === undefined) return;
  const notifications = ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
    notification: { notificationType, comparisonOperator: 'GREATER_THAN', threshold: 100 },
    subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
  }));
  new CfnBudget(scope, 'Budget', {
    budget: {
      budgetName: `retail-${name}`,
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount: budget, unit: 'USD' },
    },
    notificationsWithSubscribers: notifications,
  });
}
