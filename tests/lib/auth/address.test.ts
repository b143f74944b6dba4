import { expect, test } from 'vitest';
import { addressToCount } from '#lib/auth/address.ts';

test.each([
  ['2001:db8:0:1::1', '2001:db8:0:1::/64'],
  ['2001:0DB8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:db8:0:1:0:0:192.0.2.1', '2001:db8:0:1::/64'],
  ['2001:db8:0:2::1', '2001:db8:0:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['1:2:3:4:5:6:7:8', '1:2:3:4::/64'],
  ['::', '0:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
])('of IPv6 the first 64 bits count: %s as %s (Contract 9.93)', (ip, counted) => {
  expect(addressToCount(ip)).toBe(counted);
});

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::FFFF:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:ffff:0:1', '0.0.0.1'],
  ['unknown', 'unknown'],
])('an IPv4 address counts whole, in IPv6 too: %s as %s (Contract 9.93)', (ip, counted) => {
  expect(addressToCount(ip)).toBe(counted);
});
