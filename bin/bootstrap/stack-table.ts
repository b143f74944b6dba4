import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';

/** The name of a deployed stage's table, as its stack tells it. */
export async function tableOfStage(stage: string): Promise<string> {
  const name = `retail-${stage}`;
  const { Stacks = [] } = await new CloudFormationClient({}).send(
    new DescribeStacksCommand({ StackName: name }),
  );
  const outputs = Stacks.flatMap(({ Outputs = [] }) => Outputs);
  const table = outputs.find(({ OutputKey }) => OutputKey === 'TableName')?.OutputValue;
  if (!table) throw new Error(`The stack ${name} tells no TableName. Has it been deployed to the end?`);
  return table;
}
