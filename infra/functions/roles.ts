import { Validations } from 'aws-cdk-lib';
import { type IRole, PolicyDocument, PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { SecretSettings } from '#infra/resources/secrets.ts';
import type { Stage } from '#infra/stage.ts';

/** The rights of a function, and the settings that it needs to use them. */
export interface Permissions {
  /** Names the rights: functions of one kind share a role. */
  readonly kind: string;
  readonly statements: readonly PolicyStatement[];
  readonly settings: Readonly<Record<string, string>>;
  readonly secrets: SecretSettings;
  /** True if it stores public files: a function that renders images stores them. */
  readonly storesFiles: boolean;
}

/**
 * Gives out roles, one for each kind of need. An account has a thousand, and most functions need the same as
 * some other: a role for each would tell nothing more.
 */
export function roleFor(scope: Construct, stage: Stage, log: LogGroup): (needs: Permissions) => IRole {
  const parts = new Construct(scope, 'Roles');
  const shared = [writesLog(log), ...(stage.traces ? [WRITES_TRACES] : [])];
  Validations.of(parts).acknowledge(ANYWHERE);
  const made = new Map<string, IRole>();
  return (needs) => {
    const role = made.get(needs.kind) ?? newRole(parts, needs, shared);
    made.set(needs.kind, role);
    return role;
  };
}

/** What cdk-nag finds wrong with writing traces and with listing streams. */
const ANYWHERE = {
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
    // What a function needs is all in its kind: constructs that get the role may add nothing.
  }).withoutPolicyUpdates();
}
