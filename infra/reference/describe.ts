import type * as z from 'zod';
import { isStrict } from '#lib/http/steps/body.ts';
import { fieldsOf, isFile, type Schema } from './descriptions/fields.ts';
import { nounOf } from './descriptions/sentences.ts';
import { exampleOf } from './examples.ts';
import { operationResponses } from './operation-responses.ts';
import type { OperationObject } from './operations.ts';
import { endpointParameters } from './parameters.ts';
import { jsonSchemaOf, type Schemas } from './schemas.ts';

const SUMMARIES: Readonly<Record<string, string>> = {
  index: 'List',
  show: 'Get one',
  store: 'Create',
  update: 'Edit',
  destroy: 'Delete',
  restore: 'Restore',
};

/** Describes a path with its operations. */
export function pathItem(operations: readonly OperationObject[], schemas: Schemas) {
  return Object.fromEntries(
    operations.map((operation) => [operation.method.toLowerCase(), describe(operation, schemas)]),
  );
}

function describe(operation: OperationObject, schemas: Schemas) {
  const { id, noun, verb, metadata } = operation;
  return {
    operationId: id,
    tags: [noun.join(' ')],
    summary: SUMMARIES[verb] ?? sentence(verb),
    description: notesOn(operation),
    ...(isForPrograms(metadata.right) && { security: [{ bearer: [] }, { programKey: [] }] }),
    ...(metadata.right === 'anyone' && { security: [] }),
    ...(metadata.right === 'external' && { security: [{ systemKey: [] }] }),
    ...(metadata.right === 'gateway' && { security: [{ signature: [] }] }),
    parameters: endpointParameters(operation),
    ...(metadata.body && { requestBody: requestBody(operation, metadata.body, schemas) }),
    responses: operationResponses(operation, schemas),
  };
}

/** Tells whether a program may call an operation with its key: what is under `/company/`. */
function isForPrograms(right: string): boolean {
  return right === 'staff' || right.startsWith('company.');
}

/** Callers of operations that need no right of a role. */
const WHO: ReadonlyMap<string, string> = new Map([
  ['anyone', 'Open to anyone.'],
  ['signed-in', 'Open to everyone who is signed in.'],
  ['staff', 'Open to directors and employees, whatever their role.'],
  ['at-desk', 'Open to the holder of a POS token.'],
  [
    'external',
    'Open to other systems, by the headers `External-System-Secret-Key` and one that names a company.',
  ],
  ['gateway', 'Open to the payment gateway, by its signature in the header `X-Signature`.'],
]);

function notesOn({ method, metadata, hasMethodOverride }: OperationObject): string {
  const { right, orRight, andRight, note } = metadata;
  const rights = [right, orRight ?? andRight ?? []].flat().map((each) => `\`${each}\``);
  const who = WHO.get(right) ?? `Needs the right ${rights.join(andRight ? ' and ' : ' or ')}.`;
  const strict = metadata.body && isStrict(metadata) ? ' A field that it does not know is 422.' : '';
  const override = hasMethodOverride ? ` Also as POST with \`?_method=${method}\`.` : '';
  return `${who}${override}${strict}${note === undefined ? '' : `\n\n${note}`}`;
}

function requestBody({ name, noun, metadata }: OperationObject, body: z.ZodType, schemas: Schemas) {
  const { sent } = exampleOf(name);
  const form = jsonSchemaOf(body, 'body', [nounOf(noun.at(-1) ?? '')]);
  const schema = schemas.referenceTo(body);
  const asJson = schema && { 'application/json': { schema, ...exampleJson(sent, form) } };
  if (!metadata.accepts) return { required: true, content: { ...asJson } };
  const asForm = { schema: formOf(form), ...exampleForm(sent) };
  return { required: true, content: { 'multipart/form-data': asForm, ...asJson } };
}

/** Leaves out the files of a body that a test sent as a form. */
function exampleJson(sent: unknown, { properties = {} }: Schema) {
  if (sent === undefined) return {};
  const told = Object.entries(Object(sent)).filter(([name]) => !isFile(properties[name]));
  return { example: Object.fromEntries(told) };
}

/** Writes a body that a test sent as JSON the way a form sends it. */
function exampleForm(sent: unknown) {
  const spread = (value: unknown, name: string): [string, unknown][] =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.entries(value).flatMap(([part, each]) => spread(each, name ? `${name}[${part}]` : part))
      : [[Array.isArray(value) && !name.endsWith('[]') ? `${name}[]` : name, value]];
  return sent === undefined ? {} : { example: Object.fromEntries(spread(sent, '')) };
}

/** Describes a form's fields under the names that a form sends: `name[ru]`. */
function formOf(schema: Schema) {
  const fields = fieldsOf(schema);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, field.schema])),
    required: fields.filter(({ isRequired }) => isRequired).map(({ name }) => name),
  };
}

function sentence(verb: string): string {
  const words = verb.replaceAll('-', ' ');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}
