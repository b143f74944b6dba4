import * as z from 'zod';
import { Upload } from '#lib/files/upload.ts';
import { PageLinks, PageMeta } from '#lib/http/listing.ts';
import { Confirmation, jsonIn } from '#lib/http/wire/response.ts';
import { costMarkOf } from '#lib/values/cost.ts';
import { whatIsTold } from '#lib/values/tell-as.ts';
import { describeFields, type FieldPath } from './descriptions/describe-fields.ts';
import { fieldsOf, isFile, type Schema } from './descriptions/fields.ts';
import type { OperationObject } from './operations.ts';
import { inOrderOfNaming, namesOf } from './schema-names.ts';

/** Use of a schema: parameter, request body or response. */
type Side = 'parameter' | 'body' | 'answer';

/** A file in a form. OpenAPI 3.1 uses the media type, older tools the format. */
const BINARY = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' } as const;

/** Components of the document: named schemas. */
export interface Schemas {
  readonly components: Readonly<Record<string, Schema>>;
  /** Returns the reference to a body or response; undefined for a confirmation, and if a file is required. */
  referenceTo(schema: z.ZodType): { readonly $ref: string } | undefined;
}

/** Names each request and response schema after its noun. */
export function schemasOf(operations: readonly OperationObject[]): Schemas {
  const answers = new Names();
  const bodies = new Names();
  answers.add(PageLinks, ['PageLinks']);
  answers.add(PageMeta, ['PageMeta']);
  const whole = new Set(operations.map(({ metadata }) => jsonIn(metadata.response)));
  for (const operation of inOrderOfNaming(operations)) {
    const { metadata } = operation;
    const row = rowOf(metadata.response);
    const json = jsonIn(metadata.response);
    if (row) answers.add(row, namesOfRow(row, operation, whole));
    // Confirmations share one schema.
    if (json && json !== Confirmation) answers.add(json, namesOf(operation, row ? 'page' : 'answer'));
    const body = metadata.body && whatIsTold(metadata.body);
    if (body && !needsFile(body)) bodies.add(body, namesOf(operation, 'body'));
  }
  return {
    components: { ...answers.rendered('answer'), ...bodies.rendered('body') },
    referenceTo: (schema) => {
      const shown = whatIsTold(schema);
      const name = answers.nameOf(shown) ?? bodies.nameOf(shown);
      return name === undefined ? undefined : { $ref: address(name) };
    },
  };
}

/** Converts the schema of a query string or a body to JSON Schema. */
export function jsonSchemaOf(schema: z.ZodType, side: Side, path: FieldPath = []): Schema {
  const { $schema, ...rendered } = z.toJSONSchema(whatIsTold(schema), renderingOf(side));
  return describeFields(rendered, path);
}

/** Returns whether a body can't be sent as JSON because a file is required. */
function needsFile(body: z.ZodType): boolean {
  return fieldsOf(jsonSchemaOf(body, 'body')).some(({ schema, isRequired }) => isRequired && isFile(schema));
}

class Names {
  readonly #registry = z.registry<{ id: string }>();
  readonly #taken = new Set<string>();

  /** Names a schema by the first free name, unless it has one. */
  add(schema: z.ZodType, names: readonly string[]): void {
    if (this.#registry.has(schema)) return;
    const id = names.find((name) => !this.#taken.has(name));
    if (id === undefined) throw new Error(`All names are taken: ${names.join(', ')}`);
    this.#taken.add(id);
    this.#registry.add(schema, { id });
  }

  nameOf(schema: z.ZodType): string | undefined {
    return this.#registry.get(schema)?.id;
  }

  rendered(side: Side): Record<string, Schema> {
    const rendering = renderingOf(side);
    const override: Override = (place) => {
      rendering.override(place);
      const { zodSchema, jsonSchema } = place;
      const component = this.#registry.get(whatIsTold(zodSchema));
      if (component && !this.#registry.has(zodSchema))
        Object.assign(jsonSchema, { $ref: address(component.id) });
    };
    const { schemas } = z.toJSONSchema(this.#registry, { ...rendering, override, uri: address });
    return Object.fromEntries(
      Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [
        name,
        describeFields(withoutFiles(schema), [name]),
      ]),
    );
  }
}

type Override = NonNullable<z.core.ToJSONSchemaParams['override']>;

function renderingOf(side: Side) {
  if (side === 'answer') {
    const override: Override = (place) => {
      RENDERING.override(place);
      allowHidden(place);
    };
    return { ...RENDERING, override, io: 'output' } as const;
  }
  if (side === 'parameter') return { ...RENDERING, io: 'input' } as const;
  const override: Override = (place) => {
    RENDERING.override(place);
    describeDefault(place);
  };
  return { ...RENDERING, override, io: 'input' } as const;
}

/** Lets fields that reveal costs be null, as they are for callers without the right. Part 5, 5A.13. */
function allowHidden({ zodSchema, jsonSchema }: Parameters<Override>[0]): void {
  if (!(zodSchema instanceof z.ZodObject) || !jsonSchema.properties) return;
  for (const [name, field] of Object.entries(zodSchema.shape)) {
    const shown = jsonSchema.properties[name];
    if (typeof shown !== 'object' || !costMarkOf(field) || field.safeParse(null).success) continue;
    jsonSchema.properties[name] = { anyOf: [shown, { type: 'null' }] };
  }
}

/**
 * Moves the default of a field into its description: generators of clients make a field with a default
 * required. Contract 9.131.
 */
function describeDefault({ jsonSchema }: Parameters<Override>[0]): void {
  const { default: usual, description } = jsonSchema;
  if (usual === undefined) return;
  delete jsonSchema.default;
  if (usual === null || typeof usual === 'object') return;
  const text = `default: \`${JSON.stringify(usual)}\``;
  jsonSchema.description = description === undefined ? text : `${description}; ${text}`;
}

/** Removes files, which JSON can't carry. */
function withoutFiles({ properties, ...schema }: Schema): Schema {
  if (!properties) return schema;
  const kept = Object.entries(properties).filter(([, field]) => !isFile(field));
  return { ...schema, properties: Object.fromEntries(kept) };
}

const RENDERING = {
  unrepresentable: ({ zodSchema }) => (zodSchema instanceof z.ZodVoid ? { $ref: address('Message') } : 'any'),
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema === Upload) {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, BINARY);
    }
    // The format implies the pattern.
    if (jsonSchema.format === 'date') delete jsonSchema.pattern;
    // Few tools support Unicode classes.
    if (jsonSchema.pattern?.includes('\\p{')) delete jsonSchema.pattern;
    // Clients must accept new fields.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    // An empty schema would look forgotten.
    if (isEmpty(jsonSchema.additionalProperties)) jsonSchema.additionalProperties = true;
    // Integers are safe by default.
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  },
} as const satisfies z.core.ToJSONSchemaParams;

function isEmpty(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && Object.keys(schema).length === 0;
}

/** Lists names for a row; if it may include lines, the plain names are left to other operations. */
function namesOfRow(row: z.ZodType, operation: OperationObject, whole: ReadonlySet<unknown>): string[] {
  const names = namesOf(operation, 'row');
  return hasLines(row) && !whole.has(row) ? names.map((name) => `${name}Row`) : names;
}

/** Returns whether a row may include the lines of its document. */
function hasLines(row: z.ZodType): boolean {
  return row instanceof z.ZodObject && 'lines_left_out' in row.shape;
}

/** Returns the row schema of a paged response. */
function rowOf(answers: z.ZodType): z.ZodType | undefined {
  const page = jsonIn(answers);
  if (!(page instanceof z.ZodObject) || !isPageMeta(page.shape['meta'])) return undefined;
  const rows: unknown = page.shape['data'];
  return rows instanceof z.ZodArray && rows.element instanceof z.ZodType ? rows.element : undefined;
}

/** Returns whether a schema is the position of a page, which may also have the totals of its list. */
function isPageMeta(meta: unknown): boolean {
  return meta instanceof z.ZodObject && meta.shape['current_page'] === PageMeta.shape.current_page;
}

function address(name: string): string {
  return `#/components/schemas/${name}`;
}
