import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { findAddress } from '#bin/stage/stack.ts';

test('a name of our own that leads nowhere yet is tried at the name of the content network', async () => {
  const outputs = { Address: 'https://shop.invalid', Distribution: 'd111111abcdef8.cloudfront.net' };
  const members = Object.entries(outputs).map(
    ([key, value]) => `<member><OutputKey>${key}</OutputKey><OutputValue>${value}</OutputValue></member>`,
  );
  const stack = `<member><StackName>retail-dev</StackName><Outputs>${members.join('')}</Outputs></member>`;
  const body = `<DescribeStacksResponse><DescribeStacksResult><Stacks>${stack}</Stacks></DescribeStacksResult></DescribeStacksResponse>`;
  const aws = createServer((_, response) => response.setHeader('content-type', 'text/xml').end(body));
  await once(aws.listen(0, '127.0.0.1'), 'listening');
  const bound = aws.address();
  process.env['AWS_ENDPOINT_URL_CLOUDFORMATION'] =
    `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
  expect(await findAddress('dev')).toBe('https://d111111abcdef8.cloudfront.net');
  aws.close();
});
