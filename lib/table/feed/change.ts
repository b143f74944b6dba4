import { isDeepStrictEqual } from 'node:util';
import type { DynamoDBRecord } from 'aws-lambda';
import { type Key, keyOfItem, type Tenant } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';
import { COMPANY_RATES, FEED_TYPES, STOCK_LEVEL, TYPES_WITH_COUNTERS } from './feed-types.ts';
import { type Image, imageWithoutLock, isSameImage, isTrue, numberOf, objectOf } from './image.ts';

/** The company, the desk and the warehouse that an item names. */
type Places = Readonly<Record<'companyId' | 'cashboxId' | 'stockId', number | undefined>>;

/** What became of a record. A sum that moved is a change of its record. */
type Action = 'created' | 'changed' | 'deleted' | 'restored';

/**
 * A change of a record, as the stream tells it: loosely, by the attributes that were found. The record itself
 * is read by whoever shows it.
 */
export interface TableChange {
  readonly tenant: Tenant;
  /** The record's type in copies, `trade.sale`. */
  readonly type: string;
  readonly id: number;
  /** Key of the item that has changed. */
  readonly key: Key;
  readonly action: Action;
  /** True if only sums of the record have moved: money, goods, debts. */
  readonly isSum: boolean;
  readonly companyId: number | undefined;
  readonly cashboxId: number | undefined;
  readonly stockId: number | undefined;
  /** The same before the change, if one of them has changed. */
  readonly moved?: Places;
  /** Who made the record, and the administrator who acted as them. */
  readonly creatorId: number | undefined;
  readonly impersonatorId: number | undefined;
  /** Who changed it last, and the administrator who acted as them. */
  readonly changedById: number | undefined;
  readonly changedImpersonatorId: number | undefined;
  /** When the record says that it was changed; if it doesn't, when the table was. */
  readonly at: Instant;
  readonly version: number | undefined;
  /** The event's place among others, the same whenever it comes again. */
  readonly order: string;
}

/** An item before and after a change, without locks. */
interface Turn {
  readonly tenant: Tenant;
  readonly key: Key;
  readonly before: Image | undefined;
  readonly after: Image | undefined;
  readonly at: Instant;
  readonly order: string;
}

/** Numbers of a stream are texts of other lengths, up to this: 100 comes after 99. */
const LONGEST_NUMBER = 40;

/** Lists the changes of records that a record of the stream tells: none if only locks have moved. */
export function changesIn({ dynamodb }: DynamoDBRecord): TableChange[] {
  const { Keys, OldImage, NewImage, SequenceNumber = '' } = dynamodb ?? {};
  const key = keyOfItem({ pk: Keys?.['pk']?.S, sk: Keys?.['sk']?.S });
  const [before, after] = [imageWithoutLock(OldImage), imageWithoutLock(NewImage)];
  if (isSameImage(before, after)) return [];
  const [word = '', tenant = '', ...rest] = key.pk.split('#');
  if (!isFamily(tenant)) return [];
  const at = (dynamodb?.ApproximateCreationDateTime ?? 0) * 1000;
  const order = `${String(at).padStart(15, '0')}-${SequenceNumber.padStart(LONGEST_NUMBER, '0')}`;
  const turn: Turn = { tenant, key, before, after, at: timeIn(before, after) ?? at, order };
  if (word === STOCK_LEVEL.word) {
    if (isSameImage(withoutNotes(before), withoutNotes(after))) return [];
    return changeOf(turn, { type: STOCK_LEVEL.type, isSum: true }, idIn(turn));
  }
  // What is under a record is told with it.
  if (rest.length > 0) return [];
  if (word === COMPANY_RATES.word) return rateChanges(turn);
  const counted = TYPES_WITH_COUNTERS.find((each) => word === `${each}-balance`);
  const type = FEED_TYPES[counted ?? word];
  return type === undefined
    ? []
    : changeOf(turn, { type, isSum: counted !== undefined }, Number.parseInt(key.sk, 10));
}

function changeOf(turn: Turn, { type, isSum }: Pick<TableChange, 'type' | 'isSum'>, id: number | undefined) {
  if (!Number.isSafeInteger(id) || id === undefined) return [];
  const { tenant, key, before, after, at, order } = turn;
  const image = after ?? before;
  const change: TableChange = {
    ...{ tenant, type, id, key, isSum },
    action: isSum ? 'changed' : actionIn(turn),
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

/** Finds when a record says that it was made or changed. */
function timeIn(before: Image | undefined, after: Image | undefined): Instant | undefined {
  const isMade = before === undefined;
  const is = numberOf(after, isMade ? 'created_at' : 'updated_at');
  return isMade || is !== numberOf(before, 'updated_at') ? is : undefined;
}

function actionIn({ before, after }: Turn): Action {
  if (!before) return 'created';
  if (!after) return 'deleted';
  const [was, is] = [isTrue(before, 'is_deleted'), isTrue(after, 'is_deleted')];
  if (was === is) return 'changed';
  return is ? 'deleted' : 'restored';
}

/** Lists the rates of a company's that have changed: they are one item. */
function rateChanges(turn: Turn): TableChange[] {
  const [was, is] = [objectOf(turn.before, 'rates'), objectOf(turn.after, 'rates')];
  // Each rate says whether it is that of the currency that the company sells in.
  const isOther = !isDeepStrictEqual(turn.before?.['sale_currency'], turn.after?.['sale_currency']);
  return Object.keys({ ...was, ...is })
    .filter((currency) => isOther || !isSameImage(objectOf(was, currency), objectOf(is, currency)))
    .flatMap((currency) => {
      const id = numberOf(objectOf(is, currency) ?? objectOf(was, currency), 'id');
      const companyId = Number.parseInt(turn.key.sk, 10);
      return changeOf(turn, { type: COMPANY_RATES.type, isSum: false }, id).map((each) => ({
        ...each,
        companyId,
      }));
    });
}

/** Gives a balance without what it notes of its counts: that one agreed with it is no change. */
function withoutNotes(image: Image | undefined): Image | undefined {
  if (!image) return undefined;
  const { [STOCK_LEVEL.notes]: _, version: __, ...told } = image;
  return told;
}

function idIn({ before, after }: Turn): number | undefined {
  return numberOf(after ?? before, 'id');
}

function isFamily(tenant: string): tenant is Tenant {
  return /^family-\d+$/.test(tenant);
}
