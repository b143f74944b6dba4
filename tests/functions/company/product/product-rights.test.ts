import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { addProduct, card, newCatalog } from '#tests/support/catalog.ts';
import { newEmployee, newFamily } from '#tests/support/family.ts';
import { workbookOf } from '#tests/support/files.ts';
import { call, formOf } from '#tests/support/http.ts';

/* Every way to create, edit, delete and restore a product requires the right to do so. */

const PRODUCTS = '/company/product/product';

const RIGHTS = ['import', 'store', 'update', 'destroy', 'restore'] as const;

type Right = (typeof RIGHTS)[number];

const Product = z.looseObject({
  id: z.int(),
  barcode: z.string(),
  external_id: z.string().nullable(),
  is_deleted: z.boolean(),
});

type Product = z.output<typeof Product>;

/** State of the product before the call. */
type Before = 'none' | 'there' | 'deleted';

interface Way {
  readonly before: Before;
  readonly needs: readonly Right[];
  readonly go: (token: string, form: ReturnType<typeof card>, id: number) => Promise<unknown>;
  /** Response without the right. */
  readonly refused: object;
}

const FORBIDDEN = { status: 403 };
const rowForbidden = (right: string) => {
  const refusal = {
    codes: { is_deleted: ['auth.forbidden'] },
    params: { is_deleted: [{ right: `company.product.product.${right}` }] },
  };
  return { status: 200, body: { data: [{ status: 422, outcome: null, ...refusal }] } };
};

const byCard = (operation: string) => (token: string, form: object, id: number) =>
  call(operation.replace('{id}', String(id)), { token, json: form });

const byImport = (mode: string) => async (token: string, form: ReturnType<typeof card>) => {
  const texts = ['Tea', 'Напитки', 'Nestlé', 'штука', form.barcode, null, 1, 'uzs'];
  const file = await workbookOf([texts.map(() => 'x'), texts]);
  return call(`POST ${PRODUCTS}/import`, { token, form: formOf({ file, mode }) });
};

const bySync = (row: object) => (token: string, form: ReturnType<typeof card>) =>
  call(`PUT ${PRODUCTS}/sync`, {
    token,
    json: { products: [{ ...form, external_id: form.barcode, name: 'Tea', ...row }] },
  });

const WAYS: Readonly<Record<string, Way>> = {
  'the card makes': {
    before: 'none',
    needs: ['store'],
    go: byCard(`POST ${PRODUCTS}`),
    refused: FORBIDDEN,
  },
  'the card changes': {
    before: 'there',
    needs: ['update'],
    go: (token, form, id) => byCard(`PUT ${PRODUCTS}/{id}`)(token, { ...form, name: 'Tea' }, id),
    refused: FORBIDDEN,
  },
  'the card deletes': {
    before: 'there',
    needs: ['destroy'],
    go: (token, _, id) => call(`DELETE ${PRODUCTS}/${id}`, { token }),
    refused: FORBIDDEN,
  },
  'the card restores': {
    before: 'deleted',
    needs: ['restore'],
    go: (token, _, id) => call(`DELETE ${PRODUCTS}/${id}/restore`, { token }),
    refused: FORBIDDEN,
  },
  'the import makes': { before: 'none', needs: ['import'], go: byImport('create'), refused: FORBIDDEN },
  'the import with mode=update makes': {
    before: 'none',
    needs: ['import', 'update'],
    go: byImport('update'),
    refused: FORBIDDEN,
  },
  'the import with mode=update changes': {
    before: 'there',
    needs: ['import', 'update'],
    go: byImport('update'),
    refused: FORBIDDEN,
  },
  'the import with mode=update restores': {
    before: 'deleted',
    needs: ['import', 'update', 'restore'],
    go: byImport('update'),
    refused: FORBIDDEN,
  },
  'the sync makes': { before: 'none', needs: ['store', 'update'], go: bySync({}), refused: FORBIDDEN },
  'the sync changes': { before: 'there', needs: ['store', 'update'], go: bySync({}), refused: FORBIDDEN },
  'the sync deletes': {
    before: 'there',
    needs: ['store', 'update', 'destroy'],
    go: bySync({ is_deleted: true }),
    refused: rowForbidden('destroy'),
  },
  'the sync restores': {
    before: 'deleted',
    needs: ['store', 'update', 'restore'],
    go: bySync({}),
    refused: rowForbidden('restore'),
  },
};

/** Reads the product of a barcode, deleted or not. */
async function productOf(token: string, barcode: string): Promise<Product | undefined> {
  const path = `${PRODUCTS}?filter[barcode]=${barcode}&show[]=with-deleted`;
  const { body } = await call(`GET ${path}`, { token });
  return z.object({ data: z.array(Product) }).parse(body).data[0];
}

describe('who changes products by a card, an import or a sync holds the rights of what that does (Part 4, 4.3)', async () => {
  const family = await newFamily();
  const { director } = family;
  const catalog = await newCatalog(family);
  const named = (right: Right) => `company.product.product.${right}`;
  const without = new Map(
    await Promise.all(
      RIGHTS.map(async (right) => {
        const others = RIGHTS.filter((other) => other !== right).map(named);
        return [right, await newEmployee(family, others)] as const;
      }),
    ),
  );

  async function prepare(before: Before) {
    const form = card(catalog);
    if (before === 'none') return { form, id: 0 };
    const { id } = Product.parse((await addProduct(director, catalog, form)).body);
    if (before === 'deleted') await call(`DELETE ${PRODUCTS}/${id}`, { token: director });
    return { form, id };
  }

  test.each(Object.entries(WAYS))('%s', async (_, { before, needs, go, refused }) => {
    for (const [right, token] of without) {
      const { form, id } = await prepare(before);
      const stood = await productOf(director, form.barcode);
      const answer = await go(token, form, id);
      const stands = await productOf(director, form.barcode);
      if (!needs.includes(right)) {
        expect({ right, answer }).toMatchObject({ right, answer: { status: 200 } });
        expect({ right, stands }).not.toEqual({ right, stands: stood });
        continue;
      }
      const isRowsRight = right === 'destroy' || right === 'restore';
      expect({ right, answer }).toMatchObject({ right, answer: isRowsRight ? refused : FORBIDDEN });
      expect({ right, stands }).toEqual({ right, stands: stood });
    }
  });
});
