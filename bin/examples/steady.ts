/** A day in the place of the one of the recording. */
const DAY = '2026-11-21';
const DAY_MS = 86_400_000;

/** Days that a test reckons from the day it runs on; others are written in the test, and stay. */
const NEAR_DAYS = 45;

const PASSWORDS = /^(password|new_password|new_password_confirmation)$/;

/** Texts that differ with every run, and what stands for them. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, `${DAY} 12:00:00`],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '3f1c7a52-8f0e-4a63-9d6a-5b0c2f4e7d19'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/https?:\/\/(127\.0\.0\.1|localhost):\d+/g, 'https://api.example'],
  [/\b(user|Role|partner|token)([- ])\d+/g, '$1$21'],
  [/[0-9a-f]{24,}/g, '0123456789abcdef01234567'],
];

/**
 * Makes the values of an example steady, so that another run of the tests gives the same file. Ids keep their
 * order: the newest of a list stays the greatest.
 */
export function steady(example: unknown, recordedOn: Date, how?: 'keep ids'): unknown {
  const ids = idsIn(example);
  const idOf = (kind: string, id: number) =>
    how === 'keep ids' ? id : (ids.get(kind) ?? []).indexOf(id) + 1;
  return mapValues(example, (value, key, parent) => {
    if (isId(value, key)) return idOf(kindOf(key, parent), value);
    if (typeof value !== 'string') return value;
    const number = key === 'code' ? Number(/^#(\d+)$/.exec(value)?.[1]) : Number.NaN;
    return number > 0 ? `#${idOf(kindOf('id', parent), number) || 1}` : steadyText(value, key, recordedOn);
  });
}

/** Lists the ids of each kind in an example, in ascending order. */
function idsIn(example: unknown): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, readonly number[]>();
  mapValues(example, (value, key, parent) => {
    if (!isId(value, key)) return;
    const kind = kindOf(key, parent);
    const ids = new Set([...(found.get(kind) ?? []), value]);
    found.set(
      kind,
      [...ids].sort((a, b) => a - b),
    );
  });
  return found;
}

/** Changes each value of an example, by its key and the key of what it is in. */
function mapValues(
  example: unknown,
  change: (value: unknown, key: string, parent: string) => unknown,
  [key, parent] = ['', ''],
): unknown {
  if (Array.isArray(example)) return example.map((item) => mapValues(item, change, [key, parent]));
  if (typeof example !== 'object' || example === null) return change(example, key, parent);
  const fields = Object.entries(example).map(([name, value]) => [
    name,
    mapValues(value, change, [name, key]),
  ]);
  return Object.fromEntries(fields);
}

function isId(value: unknown, key: string): value is number {
  return typeof value === 'number' && /(^|_)ids?$/.test(key) && value > 0;
}

/** Tells whose ids count together: a creator and a seller are both users. */
function kindOf(key: string, parent: string): string {
  const name = key === 'id' ? parent : key.replace(/_ids?$/, '');
  if (/creator|user|responsible|cashier|seller|_by$|^by$/.test(name)) return 'user';
  if (/compan/.test(name)) return 'company';
  return name;
}

function steadyText(text: string, key: string, recordedOn: Date): string {
  if (PASSWORDS.test(key)) return 'Savdo-2026';
  if (key === 'key' || /^(policy|x-amz-.*)$/i.test(key)) return '<secret>';
  if (key === 'time' && /^\d\d:\d\d/.test(text)) return '12:00';
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return shiftDay(text, recordedOn);
  return VARYING.reduce((all, [pattern, steadily]) => all.replace(pattern, steadily), text);
}

function shiftDay(day: string, recordedOn: Date): string {
  const days = Math.round((Date.parse(day) - Date.parse(recordedOn.toISOString().slice(0, 10))) / DAY_MS);
  if (Math.abs(days) > NEAR_DAYS) return day;
  return new Date(Date.parse(DAY) + days * DAY_MS).toISOString().slice(0, 10);
}
