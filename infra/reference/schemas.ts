import * as z from 'zod';
import { Upload } from '#lib/files/upload.ts';
import { Confirmation, jsonIn } from '#lib/http/answer.ts';
import { PageLinks, PageMeta } from '#lib/http/listing.ts';
import type { Schema } from './fields.ts';
import type { Operation } from './operations.ts';
import { describeFields } from './words/describe-fields.ts';

type Side = 'input' | 'output';

/** A file in a form. OpenAPI 3.1 uses the media type, older tools the format. */
const BINARY = { type: 'string', format: 'binary', contentMediaType: 'application/octet-stream' } as const;

/** Schemas that operations share, each under one name. */
export interface Schemas {
  readonly components: Readonly<Record<string, Schema>>;
  /** Gives the address of an operation's own body or answer; undefined for a confirmation and a file. */
  referenceTo(schema: z.ZodType): { readonly $ref: string } | undefined;
}

/**
 * Names each schema that operations take or give after the first operation that does: lists before all
 * others, then what makes records.
 */
export function schemasOf(operations: readonly Operation[]): Schemas {
  const answers = new Names();
  const bodies = new Names();
  answers.add(PageLinks, ['PageLinks']);
  answers.add(PageMeta, ['PageMeta']);
  const lists = operations.filter(({ metadata }) => rowOf(metadata.answers));
  const stores = operations.filter(({ verb }) => verb === 'store');
  for (const operation of new Set([...lists, ...stores, ...operations])) {
    const { metadata } = operation;
    const row = rowOf(metadata.answers);
    const json = jsonIn(metadata.answers);
    if (row) answers.add(row, namesOf(operation, ''));
    // A confirmation is the same everywhere.
    if (json && json !== Confirmation) answers.add(json, namesOf(operation, row ? 'Page' : ''));
    if (metadata.body && !metadata.accepts) bodies.add(metadata.body, namesOf(operation, 'Input'));
  }
  return {
    components: { ...answers.rendered('output'), ...bodies.rendered('input') },
    referenceTo: (schema) => {
      const name = answers.nameOf(schema) ?? bodies.nameOf(schema);
      return name === undefined ? undefined : { $ref: address(name) };
    },
  };
}

/** Writes the schema of a query string or a body as JSON Schema. */
export function jsonSchemaOf(schema: z.ZodType, io: Side): Schema {
  const { $schema, ...rendered } = z.toJSONSchema(schema, { ...RENDERING, io });
  return describeFields(rendered);
}

class Names {
  readonly #registry = z.registry<{ id: string }>();
  readonly #taken = new Set<string>();

  /** Names a schema by the first of the names that is free; a schema that has a name keeps it. */
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

  rendered(io: Side): Record<string, Schema> {
    const { schemas } = z.toJSONSchema(this.#registry, { ...RENDERING, io, uri: address });
    return Object.fromEntries(
      Object.entries(schemas).map(([name, { $schema, $id, ...schema }]) => [name, describeFields(schema)]),
    );
  }
}

const RENDERING = {
  unrepresentable: ({ zodSchema }) => (zodSchema instanceof z.ZodVoid ? { $ref: address('Message') } : 'any'),
  override: ({ zodSchema, jsonSchema }) => {
    if (zodSchema === Upload) {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, BINARY);
    }
    // The format says what the pattern says, and a person can read it.
    if (jsonSchema.format === 'date') delete jsonSchema.pattern;
    // Few tools know classes of letters.
    if (jsonSchema.pattern?.includes('\\p{')) delete jsonSchema.pattern;
    // A client must accept fields that come later.
    if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    // That integers are safe goes without saying.
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  },
} as const satisfies z.core.ToJSONSchemaParams;

/** Finds the row of a paged answer. */
function rowOf(answers: z.ZodType): z.ZodType | undefined {
  const page = jsonIn(answers);
  if (!(page instanceof z.ZodObject) || page.shape['meta'] !== PageMeta) return undefined;
  const rows: unknown = page.shape['data'];
  return rows instanceof z.ZodArray && rows.element instanceof z.ZodType ? rows.element : undefined;
}

/** Lists names, from the shortest to one that is the operation's alone. */
function namesOf({ noun, verb, id }: Operation, suffix: string): string[] {
  const [last = ''] = noun.slice(-1);
  return [[last], [last, verb], [noun[0] ?? '', last], [noun[0] ?? '', last, verb], id.split('.')].map(
    (words) => `${words.map(pascal).join('')}${suffix}`,
  );
}

function pascal(word: string): string {
  return word.replaceAll(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function address(name: string): string {
  return `#/components/schemas/${name}`;
}
