import { serviceUnitTemplates } from '#lib/catalog/service/unit-template.ts';
import { unitTemplates } from '#lib/catalog/unit/template.ts';
import { insertMissing } from '#lib/records/missing-records.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';
import { once } from './once.ts';

const named = (ru: string, uz: string, oz: string) => ({ name: { ru, uz, oz } });

const UNITS = [
  { ...named('Штука', 'Дона', 'Dona'), accuracy: 0 },
  { ...named('Килограмм', 'Килограмм', 'Kilogramm'), accuracy: 3 },
  { ...named('Грамм', 'Грамм', 'Gramm'), accuracy: 0 },
  { ...named('Тонна', 'Тонна', 'Tonna'), accuracy: 3 },
  { ...named('Литр', 'Литр', 'Litr'), accuracy: 3 },
  { ...named('Миллилитр', 'Миллилитр', 'Millilitr'), accuracy: 0 },
  { ...named('Метр', 'Метр', 'Metr'), accuracy: 2 },
  { ...named('Сантиметр', 'Сантиметр', 'Santimetr'), accuracy: 1 },
  { ...named('Квадратный метр', 'Квадрат метр', 'Kvadrat metr'), accuracy: 2 },
  { ...named('Кубический метр', 'Куб метр', 'Kub metr'), accuracy: 3 },
  { ...named('Упаковка', 'Қадоқ', 'Qadoq'), accuracy: 0 },
  { ...named('Коробка', 'Қути', 'Quti'), accuracy: 0 },
  { ...named('Бутылка', 'Шиша', 'Shisha'), accuracy: 0 },
  { ...named('Мешок', 'Қоп', 'Qop'), accuracy: 0 },
  { ...named('Рулон', 'Ўрам', 'O‘ram'), accuracy: 0 },
  { ...named('Комплект', 'Тўплам', 'To‘plam'), accuracy: 0 },
  { ...named('Пара', 'Жуфт', 'Juft'), accuracy: 0 },
];

const SERVICE_UNITS = [
  named('Услуга', 'Хизмат', 'Xizmat'),
  named('Посещение', 'Ташриф', 'Tashrif'),
  named('Минута', 'Дақиқа', 'Daqiqa'),
  named('Час', 'Соат', 'Soat'),
  named('День', 'Кун', 'Kun'),
  named('Месяц', 'Ой', 'Oy'),
  named('Человек', 'Киши', 'Kishi'),
  named('Километр', 'Километр', 'Kilometr'),
  named('Квадратный метр', 'Квадрат метр', 'Kvadrat metr'),
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
