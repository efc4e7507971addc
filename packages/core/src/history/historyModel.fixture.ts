import { Arbitrary, DateTime, Schema } from "effect"
import { aHash, at } from "../primitives/ids.fixture.ts"
import type { HistoryFilter } from "./HistoryFilter.ts"
import type { HistoryTransaction } from "./HistoryTransaction.ts"

const oneOf = <A>(...values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: values.length - 1 }))),
    (index) => values[index]!
  )

/** Absent more often than not, because a filter of many conditions finds nothing. */
const sometimes = <A>(...values: ReadonlyArray<A>): Arbitrary.Arbitrary<A | undefined> =>
  oneOf(...Array.from({ length: 3 * values.length }, () => undefined), ...values)

const hashes = [aHash(), aHash()] as const

/** Transactions with few values in each field, so that a filter finds some of them and not all. */
export const AnyTransactions: Arbitrary.Arbitrary<Array<Partial<HistoryTransaction>>> = Arbitrary.array(
  Arbitrary.all({
    type: oneOf<HistoryTransaction["type"]>("SWAP", "TRANSFER", "BATCH"),
    status: oneOf<HistoryTransaction["status"]>("PROCESSING", "COMPLETED"),
    chainIdIn: oneOf<HistoryTransaction["chainIdIn"]>(1, 137, 0),
    chainIdOut: oneOf<HistoryTransaction["chainIdOut"]>(1, 137, 0),
    userOperationHash: oneOf(null, ...hashes),
    transactionHash: oneOf(null, ...hashes),
    nftNumber: oneOf(null, "7", "8"),
    metadata: oneOf<HistoryTransaction["metadata"]>(
      {},
      { positionId: "7" },
      { positionId: "p", note: "7" },
      { note: "p" }
    ),
    createdAt: oneOf(at(0), at(1), at(2), at(3))
  }),
  { maxLength: 10 }
)

export const AnyFilter: Arbitrary.Arbitrary<HistoryFilter> = Arbitrary.map(
  Arbitrary.all({
    types: sometimes([], ["SWAP"], ["TRANSFER", "BATCH"]),
    statuses: sometimes([], ["COMPLETED"], ["COMPLETED", "PROCESSING"]),
    userOperationHash: sometimes(...hashes),
    transactionHash: sometimes(...hashes),
    chains: sometimes([], [1], [137, 0]),
    chainIdIn: sometimes(1, 137, 0),
    chainIdOut: sometimes(1, 137, 0),
    createdAtLatest: sometimes(at(1), at(2)),
    createdAtOldest: sometimes(at(1), at(2)),
    metadata: sometimes(
      { key: "positionId", value: "p" },
      { key: "positionId", value: "7" },
      { key: "note", value: "7" },
      { key: "note", value: "none" }
    ),
    nftNumber: sometimes("7", "8")
  }),
  (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as HistoryFilter
)

const isAmong = <A>(value: A, wanted: ReadonlyArray<A> | undefined): boolean =>
  wanted === undefined || wanted.length === 0 || wanted.includes(value)

const isAs = <A>(value: A, wanted: A | undefined): boolean => wanted === undefined || value === wanted

const concerns = ({ metadata, nftNumber }: HistoryTransaction, filter: HistoryFilter): boolean => {
  const byNft = isAs<string | null>(nftNumber, filter.nftNumber)
  const byMetadata = filter.metadata === undefined || metadata[filter.metadata.key] === filter.metadata.value
  const isEither = filter.nftNumber !== undefined && filter.metadata?.key === "positionId"
  return isEither ? byNft || byMetadata : byNft && byMetadata
}

/** What `HistoryFilter` says, told plainly. */
export const matches = (transaction: HistoryTransaction, filter: HistoryFilter): boolean =>
  isAmong(transaction.type, filter.types) &&
  isAmong(transaction.status, filter.statuses) &&
  isAs<string | null>(transaction.userOperationHash, filter.userOperationHash) &&
  isAs<string | null>(transaction.transactionHash, filter.transactionHash) &&
  (isAmong(transaction.chainIdIn, filter.chains) || isAmong(transaction.chainIdOut, filter.chains)) &&
  isAs(transaction.chainIdIn, filter.chainIdIn) &&
  isAs(transaction.chainIdOut, filter.chainIdOut) &&
  (filter.createdAtLatest === undefined ||
    DateTime.isLessThanOrEqualTo(transaction.createdAt, filter.createdAtLatest)) &&
  (filter.createdAtOldest === undefined ||
    DateTime.isGreaterThanOrEqualTo(transaction.createdAt, filter.createdAtOldest)) &&
  concerns(transaction, filter)

/** The order of a history: by `createdAt`, then by id, both descending. */
export const newestFirst = (a: HistoryTransaction, b: HistoryTransaction): number =>
  DateTime.toEpochMillis(b.createdAt) - DateTime.toEpochMillis(a.createdAt) || (a.id < b.id ? 1 : -1)
