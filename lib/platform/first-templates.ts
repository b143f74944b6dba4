import { serviceUnitTemplates } from '#lib/catalog/service/unit-template.ts';
import { unitTemplates } from '#lib/catalog/unit/template.ts';
import { insertIfAbsent } from '#lib/records/insert-if-absent.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { latin } from '#lib/values/latin.ts';
import type { Instant } from '#lib/values/time.ts';
import { runOnceEver } from './once.ts';

const withName = (ru: string, uz: string) => ({ name: { ru, uz, oz: latin(uz) } });

const UNITS = [
  { ...withName('Штука', 'Дона'), accuracy: 0 },
  { ...withName('Килограмм', 'Килограмм'), accuracy: 3 },
  { ...withName('Грамм', 'Грамм'), accuracy: 0 },
  { ...withName('Тонна', 'Тонна'), accuracy: 3 },
  { ...withName('Литр', 'Литр'), accuracy: 3 },
  { ...withName('Миллилитр', 'Миллилитр'), accuracy: 0 },
  { ...withName('Метр', 'Метр'), accuracy: 2 },
  { ...withName('Сантиметр', 'Сантиметр'), accuracy: 1 },
  { ...withName('Квадратный метр', 'Квадрат метр'), accuracy: 2 },
  { ...withName('Кубический метр', 'Куб метр'), accuracy: 3 },
  { ...withName('Упаковка', 'Қадоқ'), accuracy: 0 },
  { ...withName('Коробка', 'Қути'), accuracy: 0 },
  { ...withName('Бутылка', 'Шиша'), accuracy: 0 },
  { ...withName('Мешок', 'Қоп'), accuracy: 0 },
  { ...withName('Рулон', 'Ўрам'), accuracy: 0 },
  { ...withName('Комплект', 'Тўплам'), accuracy: 0 },
  { ...withName('Пара', 'Жуфт'), accuracy: 0 },
];

const SERVICE_UNITS = [
  withName('Услуга', 'Хизмат'),
  withName('Посещение', 'Ташриф'),
  withName('Минута', 'Дақиқа'),
  withName('Час', 'Соат'),
  withName('День', 'Кун'),
  withName('Месяц', 'Ой'),
  withName('Человек', 'Киши'),
  withName('Километр', 'Километр'),
  withName('Квадратный метр', 'Квадрат метр'),
];

/**
 * Creates the unit templates for later companies. Administrators may edit or delete them. Returns the names
 * of the sets created. Part 1, "Measurement unit templates".
 */
export async function makeFirstTemplates(at: Instant): Promise<string[]> {
  const base = { created_at: at, updated_at: at, is_deleted: false, company_id: null, source_id: null };
  const makers = <T>(templates: readonly T[]) =>
    templates.map((template) => (id: number) => ({ ...base, ...template, id }));
  const made = await Promise.all([
    runOnceEver('unit templates', at, (note) =>
      insertIfAbsent(unitTemplates, PLATFORM, makers(UNITS), [note]),
    ),
    runOnceEver('service unit templates', at, (note) =>
      insertIfAbsent(serviceUnitTemplates, PLATFORM, makers(SERVICE_UNITS), [note]),
    ),
  ]);
  return made.flat();
}
