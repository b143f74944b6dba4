import { serviceUnitTemplates } from '#lib/catalog/service/unit-template.ts';
import { unitTemplates } from '#lib/catalog/unit/template.ts';
import { insertMissing } from '#lib/records/missing-records.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { latin } from '#lib/values/latin.ts';
import type { Instant } from '#lib/values/time.ts';
import { once } from './once.ts';

const named = (ru: string, uz: string) => ({ name: { ru, uz, oz: latin(uz) } });

const UNITS = [
  { ...named('Штука', 'Дона'), accuracy: 0 },
  { ...named('Килограмм', 'Килограмм'), accuracy: 3 },
  { ...named('Грамм', 'Грамм'), accuracy: 0 },
  { ...named('Тонна', 'Тонна'), accuracy: 3 },
  { ...named('Литр', 'Литр'), accuracy: 3 },
  { ...named('Миллилитр', 'Миллилитр'), accuracy: 0 },
  { ...named('Метр', 'Метр'), accuracy: 2 },
  { ...named('Сантиметр', 'Сантиметр'), accuracy: 1 },
  { ...named('Квадратный метр', 'Квадрат метр'), accuracy: 2 },
  { ...named('Кубический метр', 'Куб метр'), accuracy: 3 },
  { ...named('Упаковка', 'Қадоқ'), accuracy: 0 },
  { ...named('Коробка', 'Қути'), accuracy: 0 },
  { ...named('Бутылка', 'Шиша'), accuracy: 0 },
  { ...named('Мешок', 'Қоп'), accuracy: 0 },
  { ...named('Рулон', 'Ўрам'), accuracy: 0 },
  { ...named('Комплект', 'Тўплам'), accuracy: 0 },
  { ...named('Пара', 'Жуфт'), accuracy: 0 },
];

const SERVICE_UNITS = [
  named('Услуга', 'Хизмат'),
  named('Посещение', 'Ташриф'),
  named('Минута', 'Дақиқа'),
  named('Час', 'Соат'),
  named('День', 'Кун'),
  named('Месяц', 'Ой'),
  named('Человек', 'Киши'),
  named('Километр', 'Километр'),
  named('Квадратный метр', 'Квадрат метр'),
];

/**
 * Makes the units of goods and of services with which later companies begin. Administrators may change or
 * delete them. Answers with what was made now. Part 1, "Measurement unit templates".
 */
export async function makeFirstTemplates(at: Instant): Promise<string[]> {
  const base = { created_at: at, updated_at: at, is_deleted: false, company_id: null, source_id: null };
  const makers = <T>(templates: readonly T[]) =>
    templates.map((template) => (id: number) => ({ ...base, ...template, id }));
  const made = await Promise.all([
    once('unit templates', at, () => insertMissing(unitTemplates, PLATFORM, makers(UNITS))),
    once('service unit templates', at, () =>
      insertMissing(serviceUnitTemplates, PLATFORM, makers(SERVICE_UNITS)),
    ),
  ]);
  return made.flat();
}
