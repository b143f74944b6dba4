import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import type { Construct } from 'constructs';
import type { Stage } from '#infra/stage.ts';

/**
 * Adds what the account may cost in a month, if the stage says so: people are told by mail once that is
 * spent, and once it looks as if it will be.
 */
export function addBudget(scope: Construct, { name, alarmEmail, budget }: Stage): void {
  if (alarmEmail === undefined || budget === undefined) return;
  const told = ['ACTUAL', 'FORECASTED'].map((notificationType) => ({
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
    notificationsWithSubscribers: told,
  });
}
