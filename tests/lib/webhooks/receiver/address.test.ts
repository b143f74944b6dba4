import { expect, test } from 'vitest';
import { isGlobal } from '#lib/webhooks/receiver/address.ts';

test.each([
  ...['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255', '127.0.0.1'],
  ...['127.255.255.254', '169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.8', '192.0.0.170'],
  ...['192.0.2.1', '192.88.99.1', '192.168.1.1', '198.18.0.1', '198.19.255.255', '198.51.100.7'],
  ...['203.0.113.7', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
])('%s is no global unicast of IPv4 (Part 4, 4.2 (5))', (address) => {
  expect(isGlobal(address)).toBe(false);
});

test.each([
  ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255'],
  ...['172.32.0.0', '192.0.1.0', '192.167.255.255', '192.169.0.0', '198.17.255.255', '198.20.0.0'],
  '223.255.255.255',
])('%s is global unicast of IPv4 (Part 4, 4.2 (5))', (address) => {
  expect(isGlobal(address)).toBe(true);
});

test.each([
  ...['::', '::1', '64:ff9b:1::1', '100::1', '100:0:0:1::1', '2001::1', '2001:1::1', '2001:2::1'],
  ...['2001:db8::1', '3fff::1', '5f00::1', 'fc00::1', 'fd12:3456::1', 'fe80::1', 'fe80::1%eth0'],
  ...['fec0::1', 'ff02::1', '4000::1', '1fff::1'],
])('%s is no global unicast of IPv6 (Part 4, 4.2 (5))', (address) => {
  expect(isGlobal(address)).toBe(false);
});

test.each(['2606:4700:4700::1111', '2a00:1450::1', '2001:200::1', '2001:4860:4860::8888'])(
  '%s is global unicast of IPv6 (Part 4, 4.2 (5))',
  (address) => {
    expect(isGlobal(address)).toBe(true);
  },
);

test.each([
  '::ffff:{}',
  '::{}',
  '64:ff9b::{}',
  '2002:{hex}::1',
  '2a00:1450::5efe:{}',
  '2a00:1450::200:5efe:{}',
])('an IPv4 within an IPv6 is judged as IPv4: %s (Part 4, 4.2 (5))', (form) => {
  const within = (ipv4: string, hex: string) => form.replace('{}', ipv4).replace('{hex}', hex);
  expect(isGlobal(within('169.254.169.254', 'a9fe:a9fe'))).toBe(false);
  expect(isGlobal(within('10.0.0.1', 'a00:1'))).toBe(false);
  expect(isGlobal(within('8.8.8.8', '808:808'))).toBe(true);
});

test.each(['', 'localhost', '1.2.3', '1.2.3.4.5', '0x7f.1'])(
  'what is no address is not global: %s',
  (text) => {
    expect(isGlobal(text)).toBe(false);
  },
);
