import type * as z from 'zod';
import type { Area, AreaActors } from '#lib/auth/actor.ts';
import type { PatchFields } from '#lib/records/patch.ts';
import type { Page } from '#lib/table/read/request.ts';
import type { Instant } from '#lib/values/time.ts';
import type { Metadata } from './definition/definition.ts';
import { endpoint } from './endpoint.ts';
import { type ListSheet, listing } from './listing.ts';

/** What one of the operations may have besides. */
type Details = Pick<Metadata, 'note' | 'mayNeed' | 'accepts' | 'uses'>;

/** A noun whose operations are exactly the six. */
interface Noun {
  /** The noun's path with dots. */
  readonly right: `${Area}.${string}`;
  /** Its rules, for the reference. */
  readonly about: string;
  /** Schema of the query string of its list. */
  readonly query: z.ZodType;
  /** Schema of the query string of a single record. */
  readonly embeds: z.ZodType;
  readonly body: z.ZodType;
  readonly response: z.ZodType;
  /** Schema of the body that changes some fields, if the noun has such an operation. Part 5, 5B.10. */
  readonly patchBody?: z.ZodType<PatchFields>;
  /** By the last word of the operation's right. */
  readonly index?: Pick<Details, 'note' | 'mayNeed'>;
  /** Makes a workbook of all rows of its list. */
  readonly sheet?: ListSheet<AreaActors[Area], unknown, unknown>;
  readonly store?: Details;
  readonly show?: Details;
  readonly update?: Details;
  readonly destroy?: Details;
  readonly restore?: Details;
}

/** The functions of the six operations, as `recordsOf` makes them. */
interface Operations<A, L, E, I, O> {
  readonly list: (actor: A, query: L, at: Instant) => Promise<Page<O>>;
  readonly get: (actor: A, id: number, embeds: E, at: Instant) => Promise<O>;
  readonly create: (actor: A, input: I, at: Instant) => Promise<O>;
  readonly edit: (actor: A, id: number, input: I, at: Instant) => Promise<O>;
  readonly patch?: (actor: A, id: number, fields: PatchFields, at: Instant) => Promise<O>;
  readonly remove: (actor: A, id: number, at: Instant) => Promise<void>;
  readonly restore: (actor: A, id: number, at: Instant) => Promise<void>;
}

/** The same without their static types: the right decides on the caller, and schemas parse the input. */
interface UntypedOperations {
  list(actor: AreaActors[Area], query: unknown, at: Instant): Promise<Page<unknown>>;
  get(actor: AreaActors[Area], id: number, embeds: unknown, at: Instant): Promise<unknown>;
  create(actor: AreaActors[Area], input: unknown, at: Instant): Promise<unknown>;
  edit(actor: AreaActors[Area], id: number, input: unknown, at: Instant): Promise<unknown>;
  patch?(actor: AreaActors[Area], id: number, fields: PatchFields, at: Instant): Promise<unknown>;
  remove(actor: AreaActors[Area], id: number, at: Instant): Promise<void>;
  restore(actor: AreaActors[Area], id: number, at: Instant): Promise<void>;
}

/**
 * Returns the endpoints of a noun's list, get, create, edit, delete and restore, for `index.ts` of its
 * folder: `record` is served at `/{model}` below its path, `restored` at `/{value}/restore`. Each right is
 * the noun's and the operation's word. A noun whose operations differ in more than `Details` has three files
 * instead.
 */
export function sixEndpoints<
  A extends Area,
  L extends z.ZodType,
  E extends z.ZodType,
  B extends z.ZodType,
  R extends z.ZodType,
>(
  noun: Omit<Noun, 'sheet'> & {
    readonly right: `${A}.${string}`;
    readonly query: L;
    readonly embeds: E;
    readonly body: B;
    readonly response: R;
    readonly sheet?: ListSheet<AreaActors[A], z.output<L>, unknown>;
  },
  operations: Operations<AreaActors[A], z.output<L>, z.output<E>, z.output<B>, z.input<R>>,
) {
  return endpointsOf(noun, operations);
}

function endpointsOf(noun: Noun, operations: UntypedOperations) {
  const { right, about, body, response, patchBody, sheet } = noun;
  const { patch } = operations;
  return {
    GET: listing({
      ...noun.index,
      about,
      right: `${right}.index`,
      query: noun.query,
      rows: response,
      ...(sheet && { sheet }),
      run: ({ actor, query, at }) => operations.list(actor, query, at),
    }),
    POST: endpoint({
      ...noun.store,
      right: `${right}.store`,
      body,
      response,
      run: ({ actor, body: input, at }) => operations.create(actor, input, at),
    }),
    record: {
      GET: endpoint({
        ...noun.show,
        right: `${right}.show`,
        query: noun.embeds,
        response,
        run: ({ actor, id, query, at }) => operations.get(actor, id, query, at),
      }),
      PUT: endpoint({
        ...noun.update,
        right: `${right}.update`,
        body,
        response,
        run: ({ actor, id, body: input, at }) => operations.edit(actor, id, input, at),
      }),
      ...(patch &&
        patchBody && {
          PATCH: endpoint({
            ...noun.update,
            right: `${right}.update`,
            body: patchBody,
            response,
            run: ({ actor, id, body: fields, at }) => patch(actor, id, fields, at),
          }),
        }),
      DELETE: endpoint({
        ...noun.destroy,
        right: `${right}.destroy`,
        run: ({ actor, id, at }) => operations.remove(actor, id, at),
      }),
    },
    restored: {
      DELETE: endpoint({
        ...noun.restore,
        right: `${right}.restore`,
        run: ({ actor, id, at }) => operations.restore(actor, id, at),
      }),
    },
  };
}
