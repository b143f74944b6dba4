import type * as z from 'zod';
import { fieldsOf, type Schema } from './descriptions/fields.ts';
import { describeField, fieldLabel } from './descriptions/sentences.ts';
import type { OperationObject } from './operations.ts';
import { jsonSchemaOf } from './schemas.ts';
import { parameterAt } from './shared.ts';

/** Lists the parameters of an operation. */
export function endpointParameters(operation: OperationObject) {
  const { method, hasVersion, metadata } = operation;
  return [
    ...pathParameters(operation),
    ...(metadata.query ? queryParameters(metadata.query) : []),
    parameterAt('Language'),
    ...(metadata.right === 'external' ? SYSTEM_HEADERS.map(parameterAt) : []),
    ...(metadata.isRevalidated ? [parameterAt('Tag')] : []),
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
    ...describePart(described?.[name], IN_PATH[name] ?? `Id of the ${fieldLabel(name)}.`),
    ...exampleIn(path, name),
  }));
}

/** Returns the schema of a part of the path with its description, by default another. */
function describePart(schema: Schema | boolean | undefined, otherwise: string) {
  if (typeof schema !== 'object') return { description: otherwise, schema: { type: 'integer', minimum: 1 } };
  const { description = otherwise, ...rest } = schema;
  return { description, schema: rest };
}

/** Ids of demo records other than 1, by the path before the id. */
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
  model: 'Id of the record.',
  return_id: 'Id of the return.',
  value: 'Id of the deleted record.',
  cashbox: 'Id of the cash desk.',
  number: 'Number of the sale draft, 1 to 3.',
  company: 'Id of the main company.',
  type: 'Type of records.',
  externalId: '`external_id` of the payment.',
};

function queryParameters(query: z.ZodType) {
  const fields = fieldsOf(jsonSchemaOf(query, 'parameter'));
  const isReport = fields.some(({ name }) => name === 'group');
  return fields.map(({ name, schema, isRequired }) => ({
    name,
    in: 'query',
    required: isRequired,
    description: (isReport ? OF_REPORT[name] : undefined) ?? IN_QUERY[name] ?? describeFilter(name, schema),
    schema: withoutEmptyDefault(schema),
    ...(isRequired && schema.type === 'integer' && { example: 1 }),
    ...(isRequired && schema.format === 'date' && { example: '2026-11-22' }),
  }));
}

const IN_QUERY: Readonly<Record<string, string>> = {
  page: 'Number of the page, from 1. A page past the end is empty.',
  'page-size': 'Maximum number of rows per page.',
  'show[]': 'Includes deleted records, or returns only those.',
  'sort[]': 'Sort field; a leading `-` sorts descending.',
  'with[]': 'Related records to include.',
  format: 'Returns a workbook instead of JSON.',
  totals: 'Adds the sums of the rows of all pages, by currency.',
  'filter[code]': 'Only rows with this `code`; that of a sale with or without `#`.',
  'filter[common]': 'Only rows whose name or code contains this text.',
  'filter[username_or_phone]': 'Only rows whose username or phone number contains this text.',
  'types[]':
    'Types of records to sync, 1 to 40: required in the first request, later left out or the same. Each ' +
    'requires the right to list it.',
  group: 'Grouping of the rows.',
  type: 'Direction of the reasons.',
  cursor: '`cursor` of the previous response. Left out in the first request, which starts the initial sync.',
  path: 'Path in the public catalogue, or full URL of a file of this service.',
};

/** Parameters of reports, whose rows are groups. */
const OF_REPORT: Readonly<Record<string, string>> = {
  'filter[date][0]': 'First day of the period, inclusive.',
  'filter[date][1]': 'Last day of the period, inclusive.',
};

/** Describes a filter: by days, by any of several values, by part of a text, or by a value. */
function describeFilter(name: string, schema: Schema): string {
  const [, field, further] = /^filter\[([^\]]+)\](?:\[(\d?)\])?$/.exec(name) ?? [];
  if (field === undefined) return sentenceOf(name);
  if (further === '0' && schema.type === 'number') return `Only rows whose \`${field}\` is at least this.`;
  if (further === '1' && schema.type === 'number') return `Only rows whose \`${field}\` is at most this.`;
  if (further === '0') return `Only rows whose \`${field}\` is on or after this day.`;
  if (further === '1') return `Only rows whose \`${field}\` is on or before this day.`;
  if (further === '') return `Only rows whose \`${field}\` is one of these values.`;
  const isPart = schema.type === 'string' && schema.maxLength !== undefined && !schema.enum;
  return isPart ? `Only rows whose \`${field}\` contains this text.` : `Only rows with this \`${field}\`.`;
}

function sentenceOf(name: string): string {
  return describeField(name) ?? `Value of \`${name}\`.`;
}

// Swagger UI would send an empty list by default, as one empty value.
function withoutEmptyDefault({ default: usual, ...schema }: Schema): Schema {
  return usual === undefined || (Array.isArray(usual) && usual.length === 0)
    ? schema
    : { ...schema, default: usual };
}
