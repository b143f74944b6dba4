import {
  CloudFormationClient,
  DescribeStacksCommand,
  paginateListStackResources,
  paginateListStacks,
  type Stack,
} from '@aws-sdk/client-cloudformation';

/** A resource of a stack, by CloudFormation's type and its name in the account. */
interface Deployed {
  readonly type: string;
  readonly name: string;
  readonly isGone: boolean;
}

type Output = 'TableName' | 'TimeZone' | 'Address' | 'Distribution';

const client = new CloudFormationClient({});

/** Reads an output of a deployed stage's stack. */
export async function outputOf(stage: string, output: Output): Promise<string> {
  const name = `retail-${stage}`;
  const stack = await findStack(name);
  if (!stack) throw new Error(`There is no stage ${stage} in this account and region.`);
  const found = stack.Outputs?.find(({ OutputKey }) => OutputKey === output)?.OutputValue;
  if (!found) throw new Error(`The stack ${name} has no output ${output}. Has its deployment ended?`);
  return found;
}

/** Reads a stack by its name, or by its id if it may be deleted; undefined if there is none. */
export async function findStack(nameOrId: string): Promise<Stack | undefined> {
  try {
    const { Stacks = [] } = await client.send(new DescribeStacksCommand({ StackName: nameOrId }));
    return Stacks[0];
  } catch (error) {
    if (error instanceof Error && error.message.endsWith('does not exist')) return undefined;
    throw error;
  }
}

/** Finds the stack of a name that was deleted last, within ninety days. */
export async function findDeletedStack(name: string): Promise<string | undefined> {
  const deleted = paginateListStacks({ client }, { StackStatusFilter: ['DELETE_COMPLETE'] });
  for await (const { StackSummaries = [] } of deleted) {
    const found = StackSummaries.find(({ StackName }) => StackName === name);
    if (found?.StackId) return found.StackId;
  }
  return undefined;
}

/** Reads a stack's resources. One that is deleted is known by its id only, and says what it left. */
export async function readResources(nameOrId: string): Promise<Deployed[]> {
  const resources: Deployed[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: nameOrId })) {
    for (const { ResourceType: type = '', ...resource } of page.StackResourceSummaries ?? []) {
      const { PhysicalResourceId: name = '', ResourceStatus } = resource;
      resources.push({ type, name, isGone: ResourceStatus === 'DELETE_COMPLETE' });
    }
  }
  return resources;
}
