import { randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { documents, type Item, tableName } from '#lib/table/client.ts';
import { all, atLeast, type Expression, equals, lessThan, nameOf } from '#lib/table/expression.ts';
import { PLATFORM, partition, recordKey } from '#lib/table/keys.ts';
import { type ListRequest, listItems } from '#lib/table/list.ts';
import { countOf, headKey, memoFrom } from '#lib/table/memo-store.ts';
import { type Meter, metered, roundTripsOf } from '#lib/table/meter.ts';
import { getItem } from '#lib/table/reads.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transact.ts';
import { put, remove } from '#lib/table/write.ts';
import { familyOf, type Row, writeRows } from '#tests/kit/rows.ts';

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;
const OLD = NOW - 60 * MINUTE;

afterEach(() => void vi.restoreAllMocks());

const oldestFirst = { field: 'id', descending: false };
const newestFirst = { field: 'id', descending: true };
const plain: ListRequest = { settled: [], where: [], sort: newestFirst, page: 1, pageSize: 20 };
