/** Unexpected texts. Those without a blank come first. */
export const TEXTS: readonly string[] = [
  ...'0 1 -1 null true 1e3 1e309 0x10 ٣ 9007199254740993 1,5 =1+1 %00 % %ff + # !state [] {} [[[[]]]] a[b]'.split(
    ' ',
  ),
  ...'__proto__ constructor <script> {{7*7}} ../../etc/passwd /public/../ file:///etc/passwd'.split(' '),
  ...'2026-02-30 0000-01-01 9999-12-31 10000-01-01 2026-11-21 24:00 00:00 998901112233'.split(' '),
  ...[
    '',
    ' ',
    "' or 1=1 --",
    '\u0000',
    'a\u0000b',
    '\u200b',
    '\u202eabc',
    '\ud800',
    '\ufeff',
    '\r\nX-Evil: 1',
  ],
  ...['\ufdfa'.repeat(255), 'x'.repeat(255), 'x'.repeat(256), 'я'.repeat(5000), '👩‍🔧'.repeat(300)],
  ...['x'.repeat(70_000), 'x#'.repeat(600)],
];

/** Numbers at the limits of fields, of money and of the table. */
export const NUMBERS: readonly number[] = [
  ...[0, -0, -1, 1, 2, 0.1, 0.01, 0.001, 0.1 + 0.2, 1e-8, 1e-9, 1e-130, 1e-200, 5e-324, 1.005, 99.999, 1000],
  ...[10_000_000, 10_000_001, 2 ** 31, 2 ** 32, 999_999_999_999.99, 1_000_000_000_000, 2 ** 53 - 1, 2 ** 53],
  ...[2 ** 53 + 2, 10_000_000_000_000_000, 1e21, 1e125, 1e126, 1e308, -1e308, -999_999_999_999.99],
];

/** Texts valid in some field, for fields with a pattern. */
export const PATTERNED: readonly string[] = [
  ...'998901112233 998935554433 2026-11-21 2026-12-31 9999-12-31 0000-01-01 09:00 23:59 2026-11-21T10:00'.split(
    ' ',
  ),
  ...'123456789 12345678901234 12345 20208000900000000001 uploads 100x100 1x1 41.3 12 1 a Имя'.split(' '),
  ...'8600000000000001 1228 111111 Fuzz-2026 fuzz.user company.trade.sale.index'.split(' '),
  ...['2026-11-21 10:00:00', '3f2504e0-4f89-41d3-9a0c-0305e82c3301'],
];
