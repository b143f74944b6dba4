import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';

/** Reads the name of a deployed stage's table from the outputs of its stack. */
export async function tableOfStage(stage: string): Promise<string> {
  const name = `retail-${stage}`;
  const { Stacks = [] } = await new CloudFormationClient({}).send(
    new DescribeStacksCommand({ StackName: name }),
  );
  const outputs = Stacks.flatMap(({ Outputs = [] }) => Outputs);
  const table = outputs.find(({ OutputKey }) => OutputKey === 'TableName')?.OutputValue;
  if (!table) throw new Error(`The stack ${name} has no output TableName. Has its deployment ended?`);
  return table;
}
