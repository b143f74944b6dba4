import type * as z from 'zod';
import { fieldsOf, type Schema } from './descriptions/fields.ts';
import { describeField, fieldLabel } from './descriptions/sentences.ts';
import type { OperationObject } from './operations.ts';
import { jsonSchemaOf } from './schemas.ts';
import { parameterAt } from './shared.ts';

/** Lists what an operation takes beside its body. */
export function endpointParameters(operation: OperationObject) {
  const { method, hasVersion, metadata } = operation;
  return [
    ...pathParameters(operation),
    ...(metadata.query ? queryParameters(metadata.query) : []),
    parameterAt('Language'),
    ...(metadata.right === 'external' ? SYSTEM_HEADERS.map(parameterAt) : []),
    ...(metadata.idempotent ? [parameterAt('Idempotency')] : []),
    ...(method !== 'GET' && hasVersion ? [parameterAt('Version')] : []),
  ];
}

const SYSTEM_HEADERS = ['CompanyPrimary', 'CompanySync', 'CompanyPartner'] as const;

function pathParameters({ path, metadata: { params } }: OperationObject) {
  const described = params ? jsonSchemaOf(params, 'parameter').properties : {};
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    ...describePlace(described?.[name], IN_PATH[name] ?? sentenceOf(name)),
    ...exampleIn(path, name),
  }));
}

/** Gives a parameter its schema, and the sentence that this has of its own, or else another. */
function describePlace(schema: Schema | boolean | undefined, otherwise: string) {
  if (typeof schema !== 'object') return { description: otherwise, schema: { type: 'integer', minimum: 1 } };
  const { description = otherwise, ...rest } = schema;
  return { description, schema: rest };
}

/** What `npm start` has made, if it is not number 1, by the part of the path before it. */
const IN_DEMO: Readonly<Record<string, number | string>> = {
  '/admin/company/user/': 3,
  '/admin/partner/user/': 2,
  '/common/public/records/': 'stock',
  '/company/cashbox/cashbox/': 3,
  '/company/trade/cashbox/': 3,
  '/company/user/role/': 4,
  '/company/user/user/': 3,
};

function exampleIn(path: string, name: string) {
  if (name === 'externalId') return {};
  const [before = ''] = path.split(`{${name}}`);
  return { example: IN_DEMO[before] ?? 1 };
}

const IN_PATH: Readonly<Record<string, string>> = {
  model: 'The id of the record.',
  return_id: 'The id of the return.',
  value: 'The id of the record, which is deleted.',
  cashbox: 'The id of the cash desk.',
  number: 'The number of the draft: a desk has three.',
  company: 'The id of the main company.',
  type: 'The kind of records.',
  externalId: 'The `external_id` of the payment.',
};

function queryParameters(query: z.ZodType) {
  return fieldsOf(jsonSchemaOf(query, 'parameter')).map(({ name, schema, isRequired }) => ({
    name,
    in: 'query',
    required: isRequired,
    description: IN_QUERY[name] ?? describeFilter(name, schema),
    schema: withoutEmptyDefault(schema),
    ...(isRequired && schema.type === 'integer' && { example: 1 }),
    ...(isRequired && schema.format === 'date' && { example: '2026-11-22' }),
  }));
}

const IN_QUERY: Readonly<Record<string, string>> = {
  page: 'The page, from 1. One past the end is empty.',
  'page-size': 'How many rows a page has, at most.',
  'show[]': 'Deleted records too, or only those.',
  'sort[]': 'The order: a field, with `-` before it from the greatest.',
  'with[]': 'Related records to show.',
  format: 'All pages as a workbook.',
  'types[]':
    'The types of records to copy, 1 to 40: required at the first call, later left out or the same. Each needs ' +
    'the right to list it.',
  cursor: 'The `cursor` of the last answer. None at the first call: it begins the copy.',
  path: 'The path in the public catalogue, or the full address of a file of ours.',
};

/** Says what a filter selects: by a day, by any of several values, by a part of a text, or by one value. */
function describeFilter(name: string, schema: Schema): string {
  const [, field, further] = /^filter\[([^\]]+)\](?:\[(\d?)\])?$/.exec(name) ?? [];
  if (field === undefined) return sentenceOf(name);
  const what = fieldLabel(field);
  if (further === '0') return `Rows from this day on, by ${what}.`;
  if (further === '1') return `Rows up to this day, which is included, by ${what}.`;
  if (further === '') return `Rows with any of these values, by ${what}.`;
  const isPart = schema.type === 'string' && schema.maxLength !== undefined && !schema.enum;
  return isPart ? `Rows with this text, or a part of it, by ${what}.` : `Rows with this value, by ${what}.`;
}

function sentenceOf(name: string): string {
  return describeField(name) ?? `The ${fieldLabel(name)}.`;
}

// A page that fills in defaults would send an empty list, which is one empty value.
function withoutEmptyDefault({ default: usual, ...schema }: Schema): Schema {
  return usual === undefined || (Array.isArray(usual) && usual.length === 0)
    ? schema
    : { ...schema, default: usual };
}
