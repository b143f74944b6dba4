/** Paths of operations that move goods or money. Contract 1, "Idempotency-Key". */
const MOVING = [
  /^\/company\/trade\//,
  /^\/company\/cashbox\/operation/,
  /^\/company\/client\/debt-payment/,
  /^\/company\/stock\/supplier\/[^/]+\/payment$/,
  /^\/company\/tariff\/pay/,
  /^\/admin\/billing\/.*\/deposit$/,
];

/** Operations among them that take no key, each with its reason. */
export const WITHOUT_KEY: Readonly<Record<string, string>> = {
  'POST /company/trade/sale/sync': 'each of its sales has a key of its own (Part 4, 4.4, 4)',
  'POST /company/trade/cashbox-shift/expense-reasons':
    'it names an item, and moves nothing; a repetition is 422',
};

/** Returns whether a request is of an operation that requires a key. */
export function takesKey(request: string): boolean {
  return isMoving(request) && !(request in WITHOUT_KEY);
}

/** Returns whether a request is of an operation that moves goods or money; a preview moves none. */
export function isMoving(request: string): boolean {
  const [method = '', path = ''] = request.split(' ');
  return (method === 'POST' || method === 'PATCH') && isOfMoving(path);
}

function isOfMoving(path: string): boolean {
  return !path.endsWith('/preview') && MOVING.some((pattern) => pattern.test(path));
}
