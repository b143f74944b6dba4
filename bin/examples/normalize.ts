/** Day that replaces the day of the recording. */
const DAY = '2026-11-21';
const DAY_MS = 86_400_000;

/** Days that a test computes from the current day; others are fixed in the test, and stay. */
const NEAR_DAYS = 45;

const PASSWORDS = /^(password|new_password|new_password_confirmation)$/;

/** Texts that differ with every run, and their replacements. */
const VARYING: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, `${DAY} 12:00:00`],
  [/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '3f1c7a52-8f0e-4a63-9d6a-5b0c2f4e7d19'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, '<token>'],
  [/eyJ[\w-]+\.[\w-]+/g, '<cursor>'],
  [/https?:\/\/(127\.0\.0\.1|localhost):\d+/g, 'https://api.example'],
  [/\b(user|Role|partner|token)([- ])\d+/g, '$1$21'],
  [/[0-9a-f]{24,}/g, '0123456789abcdef01234567'],
];

/**
 * Normalizes the values of an example, so that another run of the tests gives the same file. Ids keep their
 * order: the newest of a list stays the greatest.
 */
export function normalizeExample(example: unknown, recordedOn: Date, how?: 'keep ids'): unknown {
  const ids = idsIn(example);
  const idOf = (kind: string, id: number) =>
    how === 'keep ids' ? id : (ids.get(kind) ?? []).indexOf(id) + 1;
  const walk = (value: unknown, key: string, parent: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, key, parent));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, name, key)]));
    }
    if (isId(value, key)) return idOf(kindOf(key, parent), value);
    if (typeof value !== 'string') return value;
    const number = key === 'code' ? Number(/^#(\d+)$/.exec(value)?.[1]) : Number.NaN;
    return number > 0 ? `#${idOf(kindOf('id', parent), number) || 1}` : steadyText(value, key, recordedOn);
  };
  return walk(example, '', '');
}

/** Lists the ids of each kind in an example, in ascending order. */
function idsIn(example: unknown): ReadonlyMap<string, readonly number[]> {
  const found: (readonly [string, number])[] = [];
  const walk = (value: unknown, key: string, parent: string): void => {
    if (Array.isArray(value)) for (const item of value) walk(item, key, parent);
    else if (typeof value === 'object' && value !== null)
      for (const [name, each] of Object.entries(value)) walk(each, name, key);
    else if (isId(value, key)) found.push([kindOf(key, parent), value]);
  };
  walk(example, '', '');
  return new Map(
    [...Map.groupBy(found, ([kind]) => kind)].map(([kind, all]) => [
      kind,
      [...new Set(all.map(([, id]) => id))].sort((a, b) => a - b),
    ]),
  );
}

function isId(value: unknown, key: string): value is number {
  return typeof value === 'number' && /(^|_)ids?$/.test(key) && value > 0;
}

/** Returns the kind by which ids are numbered together: a creator and a seller are both users. */
function kindOf(key: string, parent: string): string {
  const name = key === 'id' ? parent : key.replace(/_ids?$/, '');
  if (/creator|user|responsible|cashier|seller|_by$|^by$/.test(name)) return 'user';
  if (/compan/.test(name)) return 'company';
  return name;
}

/** Key of a program or a partner: other fields of this name are words, as rights and groups of reports. */
const API_KEY = /^(rk_\d+_)?[\w-]{43}$/;

function steadyText(text: string, key: string, recordedOn: Date): string {
  if (PASSWORDS.test(key)) return 'Savdo-2026';
  if (/^(secret|policy|x-amz-.*)$/i.test(key) || (key === 'key' && API_KEY.test(text))) return '<secret>';
  if (key === 'time' && /^\d\d:\d\d/.test(text)) return '12:00';
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return shiftDay(text, recordedOn);
  return VARYING.reduce((all, [pattern, steadily]) => all.replace(pattern, steadily), text);
}

function shiftDay(day: string, recordedOn: Date): string {
  const days = Math.round((Date.parse(day) - Date.parse(recordedOn.toISOString().slice(0, 10))) / DAY_MS);
  if (Math.abs(days) > NEAR_DAYS) return day;
  return new Date(Date.parse(DAY) + days * DAY_MS).toISOString().slice(0, 10);
}
