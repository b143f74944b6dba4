import { Alarm, ComparisonOperator, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Construct } from 'constructs';
import type { Resources } from '#infra/functions/resources.ts';
import type { Apis } from '#infra/http/apis.ts';
import { addBudget } from './budget.ts';
import { addTopic } from './topic.ts';
import { apiAlarms, figureAlarms, queueAlarms, throttleAlarms } from './troubles.ts';

/** The page of runbooks. */
const RUNBOOKS = 'docs/operate.md';

/** Adds alarms that a person can act on. They tell a topic, which people subscribe to. */
export function addAlarms(scope: Construct, apis: Apis, resources: Resources): void {
  const { stage } = resources;
  const parts = new Construct(scope, 'Alarms');
  const topic = addTopic(parts, stage);
  addBudget(parts, stage);
  const troubles = [
    ...queueAlarms(resources),
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
