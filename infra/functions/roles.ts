import { Validations } from 'aws-cdk-lib';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { SecretSettings } from '#infra/resources/secrets.ts';
import type { Stage } from '#infra/stage.ts';

/** Permissions of a function, with the settings to use them. */
export interface Permissions {
  /** Kind of the permissions: functions of one kind share a role. */
  readonly kind: string;
  readonly statements: readonly PolicyStatement[];
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: SecretSettings;
  /** True if it stores public files, as functions that render images do. */
  readonly storesFiles: boolean;
}

/**
 * Returns a factory of roles, one for each kind of permissions. An account is limited to a thousand roles,
 * and most functions share a kind: a role for each would be no more restrictive.
 */
export function roleFor(scope: Construct, stage: Stage, log: LogGroup): (needs: Permissions) => IRole {
  const parts = new Construct(scope, 'Roles');
  const shared = [writesLog(log), ...(stage.traces ? [WRITES_TRACES] : [])];
  Validations.of(parts).acknowledge(WILDCARDS);
  const made = new Map<string, IRole>();
  return (needs) => {
    const role = made.get(needs.kind) ?? newRole(parts, needs, shared);
    made.set(needs.kind, role);
    return role;
  };
}

/** cdk-nag findings on wildcards for writing traces and listing streams. */
const WILDCARDS = {
  id: 'AwsSolutions::AwsSolutions-IAM5[Resource::*]',
  reason: 'X-Ray knows no resources, and IAM none for the list of streams that Lambda begins with.',
};

const WRITES_TRACES = new PolicyStatement({
  actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'],
  resources: ['*'],
});

function writesLog(log: LogGroup): PolicyStatement {
  return new PolicyStatement({
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resources: [log.logGroupArn],
  });
}

function newRole(
  scope: Construct,
  { kind, statements }: Permissions,
  shared: readonly PolicyStatement[],
): IRole {
  return new Role(scope, kind, {
    description: `Functions of the retail back office: ${kind}`,
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { Needs: new PolicyDocument({ statements: [...shared, ...statements] }) },
    // The kind covers all permissions: constructs that get the role may add none.
  }).withoutPolicyUpdates();
}
