import { expect, test } from 'vitest';
import { amountInWords } from '#lib/values/amount-in-words.ts';

test.each([
  [0, 'Ноль сум 00 тийин'],
  [1, 'Ноль сум 01 тийин'],
  [1_00, 'Один сум 00 тийин'],
  [12_00, 'Двенадцать сум 00 тийин'],
  [20_00, 'Двадцать сум 00 тийин'],
  [21_00, 'Двадцать один сум 00 тийин'],
  [100_00, 'Сто сум 00 тийин'],
  [1000_00, 'Одна тысяча сум 00 тийин'],
  [2002_00, 'Две тысячи два сум 00 тийин'],
  [11_012_00, 'Одиннадцать тысяч двенадцать сум 00 тийин'],
  [21_000_00, 'Двадцать одна тысяча сум 00 тийин'],
  [112_314_00, 'Сто двенадцать тысяч триста четырнадцать сум 00 тийин'],
  [1_000_000_00, 'Один миллион сум 00 тийин'],
  [2_000_001_00, 'Два миллиона один сум 00 тийин'],
  [118_520_805_44, 'Сто восемнадцать миллионов пятьсот двадцать тысяч восемьсот пять сум 44 тийин'],
  [
    999_999_999_999_99,
    'Девятьсот девяносто девять миллиардов девятьсот девяносто девять миллионов девятьсот девяносто девять тысяч девятьсот девяносто девять сум 99 тийин',
  ],
])('%i hundredths of a sum are said in Russian: %s', (amount, words) => {
  expect(amountInWords(amount, 'uzs', 'ru')).toBe(words);
});

test.each([
  [0, 'Нол сўм 00 тийин', 'Nol so‘m 00 tiyin'],
  [10_00, 'Ўн сўм 00 тийин', 'O‘n so‘m 00 tiyin'],
  [1000_00, 'Бир минг сўм 00 тийин', 'Bir ming so‘m 00 tiyin'],
  [
    125_340_05,
    'Бир юз йигирма беш минг уч юз қирқ сўм 05 тийин',
    'Bir yuz yigirma besh ming uch yuz qirq so‘m 05 tiyin',
  ],
  [
    7_080_600_019_00,
    'Етти миллиард саксон миллион олти юз минг ўн тўққиз сўм 00 тийин',
    'Yetti milliard sakson million olti yuz ming o‘n to‘qqiz so‘m 00 tiyin',
  ],
])('%i hundredths of a sum are said in both writings of Uzbek', (amount, uz, oz) => {
  expect(amountInWords(amount, 'uzs', 'uz')).toBe(uz);
  expect(amountInWords(amount, 'uzs', 'oz')).toBe(oz);
});

test('other currencies are said by their letters', () => {
  expect(amountInWords(1234_50, 'usd', 'ru')).toBe('Одна тысяча двести тридцать четыре USD 50/100');
});
