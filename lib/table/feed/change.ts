import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';
import { type Key, keyOfItem, type Tenant } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';
import { COMPANY_RATES, FEED_TYPES, STOCK_LEVEL, TYPES_WITH_COUNTERS } from './feed-types.ts';
import { type Image, imageWithoutLock, isSameImage, isTrue, numberOf, objectOf } from './image.ts';

/** The company, desk and warehouse of an item. */
type Places = Readonly<Record<'companyId' | 'cashboxId' | 'stockId', number | undefined>>;

/** The kind of a change. A moved counter is a change of its record. */
type Action = 'created' | 'changed' | 'deleted' | 'restored';

/**
 * A change of a record, read from the stream leniently, attribute by attribute. Readers of the feed read the
 * record itself.
 */
export interface TableChange {
  readonly tenant: Tenant;
  /** The record's sync type, e.g. `trade.sale`. */
  readonly type: string;
  readonly id: number;
  /** Key of the changed item. */
  readonly key: Key;
  readonly action: Action;
  /** True if only counters of the record have moved: money, goods, debts. */
  readonly isSum: boolean;
  readonly companyId: number | undefined;
  readonly cashboxId: number | undefined;
  readonly stockId: number | undefined;
  /** The previous company, desk and warehouse, if any of them has changed. */
  readonly moved?: Places;
  /** The creator of the record, and the impersonating administrator. */
  readonly creatorId: number | undefined;
  readonly impersonatorId: number | undefined;
  /** The last editor of the record, and the impersonating administrator. */
  readonly changedById: number | undefined;
  readonly changedImpersonatorId: number | undefined;
  /** The record's own time of the change; if it has none, the table's. */
  readonly at: Instant;
  readonly version: number | undefined;
  /** Sort order of the event, the same for every delivery of it. */
  readonly order: string;
}

/** An item before and after a change, without locks. */
interface ItemChange {
  readonly tenant: Tenant;
  readonly key: Key;
  readonly before: Image | undefined;
  readonly after: Image | undefined;
  readonly at: Instant;
  readonly order: string;
}

/** Sequence numbers of a stream differ in length, up to this: 100 comes after 99. */
const LONGEST_NUMBER = 40;

/** Returns the record changes of a stream record: none if only locks have changed. */
export function changesIn({ dynamodb }: DynamoDBRecord): TableChange[] {
  const { Keys, OldImage, NewImage, SequenceNumber = '' } = dynamodb ?? {};
  const key = keyOfItem({ pk: Keys?.['pk']?.S, sk: Keys?.['sk']?.S });
  const [before, after] = [imageWithoutLock(OldImage), imageWithoutLock(NewImage)];
  if (isSameImage(before, after)) return [];
  const [word = '', tenant = '', ...rest] = key.pk.split('#');
  if (!isFamily(tenant)) return [];
  const at = (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;
  const order = `${String(at).padStart(15, '0')}-${SequenceNumber.padStart(LONGEST_NUMBER, '0')}`;
  const itemChange: ItemChange = { tenant, key, before, after, at: timeIn(before, after) ?? at, order };
  if (word === STOCK_LEVEL.word) {
    if (isSameImage(withoutNotes(before), withoutNotes(after))) return [];
    return changeOf(itemChange, { type: STOCK_LEVEL.type, isSum: true }, idIn(itemChange));
  }
  // Items below a record change together with its header.
  if (rest.length > 0) return [];
  if (word === COMPANY_RATES.word) return rateChanges(itemChange);
  const counted = TYPES_WITH_COUNTERS.find((each) => word === `${each}-balance`);
  const type = FEED_TYPES[counted ?? word];
  return type === undefined
    ? []
    : changeOf(itemChange, { type, isSum: counted !== undefined }, Number.parseInt(key.sk, 10));
}

function changeOf(
  itemChange: ItemChange,
  { type, isSum }: Pick<TableChange, 'type' | 'isSum'>,
  id: number | undefined,
) {
  if (!Number.isSafeInteger(id) || id === undefined) return [];
  const { tenant, key, before, after, at, order } = itemChange;
  const image = after ?? before;
  const change: TableChange = {
    ...{ tenant, type, id, key, isSum },
    action: isSum ? 'changed' : actionIn(itemChange),
    ...placesIn(image),
    ...(before &&
      after &&
      !isDeepStrictEqual(placesIn(before), placesIn(after)) && { moved: placesIn(before) }),
    creatorId: numberOf(image, 'creator_id'),
    impersonatorId: numberOf(image, 'impersonator_id'),
    changedById: numberOf(image, 'changed_by_id'),
    changedImpersonatorId: numberOf(image, 'changed_impersonator_id'),
    at,
    version: numberOf(image, 'version'),
    order,
  };
  return [change];
}

function placesIn(image: Image | undefined): Places {
  return {
    companyId: numberOf(image, 'company_id'),
    cashboxId: numberOf(image, 'cashbox_id'),
    stockId: numberOf(image, 'stock_id'),
  };
}

/** Returns the record's own time of its creation or change. */
function timeIn(before: Image | undefined, after: Image | undefined): Instant | undefined {
  const isMade = before === undefined;
  const is = numberOf(after, isMade ? 'created_at' : 'updated_at');
  return isMade || is !== numberOf(before, 'updated_at') ? is : undefined;
}

function actionIn({ before, after }: ItemChange): Action {
  if (!before) return 'created';
  if (!after) return 'deleted';
  const [was, is] = [isTrue(before, 'is_deleted'), isTrue(after, 'is_deleted')];
  if (was === is) return 'changed';
  return is ? 'deleted' : 'restored';
}

/** Returns the changed rates of a company: they are one item. */
function rateChanges(itemChange: ItemChange): TableChange[] {
  const [was, is] = [objectOf(itemChange.before, 'rates'), objectOf(itemChange.after, 'rates')];
  // Each rate states whether it is that of the sale currency.
  const isOther = !isDeepStrictEqual(
    itemChange.before?.['sale_currency'],
    itemChange.after?.['sale_currency'],
  );
  return Object.keys({ ...was, ...is })
    .filter((currency) => isOther || !isSameImage(objectOf(was, currency), objectOf(is, currency)))
    .flatMap((currency) => {
      const id = numberOf(objectOf(is, currency) ?? objectOf(was, currency), 'id');
      const companyId = Number.parseInt(itemChange.key.sk, 10);
      return changeOf(itemChange, { type: COMPANY_RATES.type, isSum: false }, id).map((each) => ({
        ...each,
        companyId,
      }));
    });
}

/** Strips a balance of its stocktake notes: that a stocktake agreed with it is no change. */
function withoutNotes(image: Image | undefined): Image | undefined {
  if (!image) return undefined;
  const { [STOCK_LEVEL.notes]: _, version: __, ...rest } = image;
  return rest;
}

function idIn({ before, after }: ItemChange): number | undefined {
  return numberOf(after ?? before, 'id');
}

function isFamily(tenant: string): tenant is Tenant {
  return /^family-\d+$/.test(tenant);
}
