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

const client = new CloudFormationClient({});

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
  const StackStatusFilter = ['DELETE_COMPLETE'] as const;
  for await (const { StackSummaries = [] } of paginateListStacks(
    { client },
    { StackStatusFilter: [...StackStatusFilter] },
  )) {
    const found = StackSummaries.find(({ StackName }) => StackName === name);
    if (found?.StackId) return found.StackId;
  }
  return undefined;
}

/** Reads a stack's resources. One that is deleted is known by its id only, and says what it left. */
export async function readResources(nameOrId: string): Promise<Deployed[]> {
  const resources: Deployed[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: nameOrId })) {
    for (const {
      ResourceType = '',
      PhysicalResourceId = '',
      ResourceStatus,
    } of page.StackResourceSummaries ?? []) {
      resources.push({
        type: ResourceType,
        name: PhysicalResourceId,
        isGone: ResourceStatus === 'DELETE_COMPLETE',
      });
    }
  }
  return resources;
}
