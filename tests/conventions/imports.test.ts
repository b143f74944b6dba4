import { dirname, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { codeFiles, TILL, textOf } from './files.ts';

const TOOLS = [
  ...['lib/values', 'lib/printing', 'lib/queues', 'lib/table', 'lib/auth', 'lib/files'],
  'lib/records',
];
const PEOPLE = [...TOOLS, 'lib/regions', 'lib/people'];
const STOCK = [...PEOPLE, 'lib/catalog', 'lib/cash', 'lib/clients', 'lib/stock'];
// Rooms that need all the nouns: the platform itself, who is signed in, what is uploaded, what forms choose
// from.
const WHOLE = ['lib/platform', 'lib/current-user', 'lib/uploads', 'lib/drop-downs', 'lib/sync'];
const NOUNS = STOCK.filter((room) => !TOOLS.includes(room)).concat('lib/billing', 'lib/trade', ...WHOLE);
const DOMAIN = [...TOOLS, ...NOUNS, 'lib/reports'];
// What looks at all nouns from outside.
const TELLING = ['lib/webhooks'];

/** Rooms that a room may import from. Circles between files are Biome's business (`noImportCycles`). */
const MAY: Readonly<Record<string, readonly string[]>> = {
  'lib/values': [],
  'lib/printing': ['lib/values'],
  'lib/queues': ['lib/values', '@aws-sdk'],
  'lib/table': ['lib/values', 'lib/queues', '@aws-sdk'],
  'lib/auth': ['lib/values', 'lib/queues', 'lib/table'],
  'lib/files': ['lib/values', 'lib/queues', 'lib/table', '@aws-sdk'],
  'lib/records': TOOLS,
  'lib/regions': TOOLS,
  'lib/people': PEOPLE,
  'lib/catalog': [...PEOPLE, 'lib/cash'],
  'lib/billing': PEOPLE,
  'lib/cash': PEOPLE,
  'lib/clients': [...PEOPLE, 'lib/cash', 'lib/catalog'],
  'lib/stock': STOCK,
  'lib/trade': STOCK,
  'lib/reports': [...STOCK, 'lib/trade'],
  'lib/platform': DOMAIN,
  'lib/current-user': DOMAIN,
  'lib/uploads': DOMAIN,
  'lib/drop-downs': DOMAIN,
  'lib/webhooks': DOMAIN,
  'lib/sync': DOMAIN,
  'lib/http': TOOLS,
  functions: [
    'lib/http',
    'lib/auth',
    'lib/files',
    'lib/printing',
    'lib/values',
    ...NOUNS,
    'lib/reports',
    ...TELLING,
  ],
  infra: ['lib/http', 'lib/auth', 'lib/files', 'lib/printing', 'lib/queues', 'lib/values'],
  bin: ['infra', 'lib/http', ...DOMAIN, ...TELLING, '@aws-sdk'],
  bench: ['bin', 'infra', 'lib/http', ...DOMAIN, ...TELLING, '@aws-sdk'],
};

/**
 * The folders of a room, from the ground up: a file imports from its own folder and those before it. `.` are
 * the room's own files.
 */
const INSIDE: Readonly<Record<string, readonly string[]>> = {
  bin: [
    ...['cli', 'stage', 'smoke', 'demo', 'demo/month', 'deploy', 'examples', 'openapi'],
    ...[
      'local/gateway',
      'local/database',
      'local',
      'verify/frame',
      'verify/reports',
      'verify/goods',
      'verify/sales',
    ],
    ...['verify/money', 'verify', 'family', 'invoke'],
    '.',
  ],
  bench: [
    'support',
    'cash',
    'trade',
    'sync',
    'reports',
    'cost',
    'chaos',
    'chaos/sync',
    'fuzz',
    'lists',
    'search',
    'compare',
    '.',
  ],
  infra: [
    '.',
    'reference/descriptions',
    'reference',
    'bundle',
    'resources',
    'http',
    'functions',
    'monitoring',
    'stacks',
  ],
  'lib/auth': ['.', 'keys'],
  'lib/billing': ['.', 'payment'],
  'lib/people': ['company', 'role', 'user', '.'],
  'lib/trade': [
    ...[
      'document',
      'pricing',
      'tracking-codes',
      'scan',
      'sale',
      'sale-documents',
      'draft',
      'hold',
      'credit',
      'deposit',
      'return',
      'sale-tender',
      'exchange',
      'refused',
      'checkout',
      'offline',
    ],
    ...['debt-payment', 'shift'],
    ...[
      'goods-receipt',
      'repricing',
      'write-off',
      'transfer',
      'cost-correction',
      'stocktake',
      'stocktake/counting',
      'stocktake/report',
    ],
  ],
  'lib/reports': [
    'frame',
    'rollups',
    'sales',
    'vat',
    'products',
    'cash',
    'expenses',
    'stock',
    'reorder',
    'today',
    '.',
  ],
  'lib/platform': ['.', 'activity', 'notices'],
  'lib/cash': ['.', 'desk', 'posting', 'collection', 'operation'],
  'lib/catalog': ['unit', '.', 'service', 'repricing', 'product'],
  'lib/clients': ['.', 'debt', 'deposit'],
  'lib/stock': ['.', 'supplier', 'product-upsert'],
  'lib/sync': ['definition', 'types', '.'],
  'lib/files': ['workbook', '.'],
  'lib/records': ['query', '.', 'links', 'sheet'],
  'lib/webhooks': ['receiver', '.', 'delivery'],
  'lib/http': ['wire', 'definition', 'steps', '.'],
  'lib/values': ['.', 'labels'],
  'lib/table': [
    '.',
    'change',
    'journal',
    'read',
    'feed',
    'transaction',
    'projection',
    'list-index',
    'list-index/update',
    'search',
    'list',
    'rollups',
  ],
};

test.each(Object.keys(MAY))('%s imports only from the rooms that it may', (room) => {
  expect(filesOf(room).flatMap((file) => wrongImports(file, textOf(file)))).toEqual([]);
});

test.each(Object.keys(INSIDE))('folders of %s import only from those before them', (room) => {
  expect(filesOf(room).flatMap((file) => wrongDirections(file, textOf(file)))).toEqual([]);
});

test('the example of a till imports nothing of the project but its generated client', () => {
  const paths = codeFiles([TILL]).flatMap((file) =>
    importsOf(textOf(file)).map((specifier) => pathOf(file, specifier)),
  );
  const others = new Set(paths.filter((path) => !path.startsWith(TILL)));
  expect([...others]).toEqual(['tests/client/generated/api.d.ts']);
});

function filesOf(room: string): string[] {
  return codeFiles([room]).filter((file) => !file.startsWith(TILL));
}

test('every room with folders has its order of them', () => {
  const folders = new Set(codeFiles(Object.keys(MAY)).map((file) => dirname(file)));
  const rooms = [...folders].map((folder) => roomOf(`${folder}/`)).filter((room) => room !== 'functions');
  const withFolders = [...Map.groupBy(rooms, (room) => room)].filter(([, { length }]) => length > 1);
  expect(Object.keys(INSIDE).sort()).toEqual(withFolders.map(([room]) => room).sort());
});

test('every folder of lib/ has its line in the table', () => {
  expect(new Set(codeFiles(['lib']).map(roomOf))).toEqual(new Set(Object.keys(MAY).filter(isInLib)));
});

test('a file takes the names of a module by one import', () => {
  const files = codeFiles([...Object.keys(MAY), 'tests']);
  expect(files.flatMap((file) => repeatedImports(file, textOf(file)))).toEqual([]);
  const planted =
    "import type { A } from './a.ts';\nimport {\n  b,\n} from './a.ts';\nimport * as c from './a.ts';\n";
  expect(repeatedImports('lib/values/planted.ts', planted)).toEqual(['lib/values/planted.ts: ./a.ts']);
});

test('an import of a room above is told with the name of its file', () => {
  const told = ["lib/values/planted.ts: imports '#lib/table/keys.ts' from lib/table"];
  expect(wrongImports('lib/values/planted.ts', "import { PLATFORM } from '#lib/table/keys.ts';")).toEqual(
    told,
  );
});

test.each([
  ['lib/people/planted.ts', "import type { Call } from '#lib/http/endpoint.ts';"],
  ['lib/catalog/planted.ts', "export { sell } from '#lib/trade/checkout/sell.ts';"],
  ['lib/trade/planted.ts', "const { own } = await import('#lib/current-user/profile.ts');"],
  ['functions/planted.ts', "import { getItem } from '#lib/table/read/get.ts';"],
  ['functions/planted.ts', "import { S3Client } from '@aws-sdk/client-s3';"],
  ['lib/stock/planted.ts', "import '#tests/support/http.ts';"],
  ['lib/stock/planted.ts', "import { sell } from '../trade/sell.ts';"],
])('%s may not say %s', (file, source) => {
  expect(wrongImports(file, source)).toHaveLength(1);
});

test.each([
  ['lib/billing/planted.ts', "import type { Payment } from './payment/record.ts';"],
  ['lib/billing/planted.ts', "import { start } from '#lib/billing/payment/start.ts';"],
  ['lib/billing/unlisted/planted.ts', "import { charge } from '#lib/billing/charge.ts';"],
])('inside its room %s may not say %s', (file, source) => {
  expect(wrongDirections(file, source)).toHaveLength(1);
});

function wrongImports(file: string, source: string): string[] {
  const room = roomOf(file);
  return importsOf(source).flatMap((specifier) => {
    const target = roomOf(pathOf(file, specifier));
    // Another room is imported by its address: `../trade/sell.ts` would hide the direction.
    const isAllowed = target === room || (!specifier.startsWith('.') && MAY[room]?.includes(target));
    return isAllowed ? [] : [`${file}: imports '${specifier}' from ${target}`];
  });
}

function repeatedImports(file: string, source: string): string[] {
  const named = [...source.matchAll(/^import (?:type )?\{[^}]*\} from '([^']+)';$/gm)];
  const specifiers = named.map(([, specifier]) => specifier);
  const repeated = specifiers.filter((specifier, index) => specifiers.indexOf(specifier) < index);
  return repeated.map((specifier) => `${file}: ${specifier}`);
}

function wrongDirections(file: string, source: string): string[] {
  const room = roomOf(file);
  const folders = INSIDE[room] ?? [];
  const own = folders.indexOf(folderOf(file, room));
  if (own < 0) return [`${file}: its folder has no place in ${room}`];
  const targets = importsOf(source).map((specifier) => pathOf(file, specifier));
  return targets
    .filter((target) => !target.endsWith('.json')) // Data imports nothing, and so has no direction.
    .filter((target) => roomOf(target) === room && folders.indexOf(folderOf(target, room)) > own)
    .map((target) => `${file}: imports ${target} from a folder above`);
}

function importsOf(source: string): string[] {
  const imported = source.matchAll(/\b(?:from|import)\s*\(?\s*'((?:#|\.|@aws-sdk\/)[^']+)'/g);
  return [...imported].map(([, specifier = '']) => specifier);
}

function folderOf(path: string, room: string): string {
  return dirname(path).slice(room.length + 1) || '.';
}

function pathOf(file: string, specifier: string): string {
  return specifier.startsWith('.') ? normalize(`${dirname(file)}/${specifier}`) : specifier.replace('#', '');
}

function roomOf(path: string): string {
  const [first = '', second = ''] = path.split('/');
  return first === 'lib' ? `${first}/${second}` : first;
}

function isInLib(room: string): boolean {
  return room.startsWith('lib/');
}
