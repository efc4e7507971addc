import { Arbitrary, DateTime, Schema } from "effect"
import { aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { detectedTokenDetails, isUnlisted } from "./foundOnChain.ts"
import type { HistoryFilter, MetadataPair } from "./HistoryFilter.ts"
import type { Leg, Transaction } from "./Transaction.ts"

const arbitraryOf = <A>(...values: ReadonlyArray<A>): Arbitrary.Arbitrary<A> =>
  Arbitrary.map(
    Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: values.length - 1 }))),
    (index) => values[index]!
  )

/** Returns `undefined` in most cases, because a filter with many conditions matches nothing. */
const mostlyUndefined = <A>(...values: ReadonlyArray<A>): Arbitrary.Arbitrary<A | undefined> =>
  arbitraryOf(...Array.from({ length: 3 * values.length }, () => undefined), ...values)

const hashes = [aHash(), aHash()] as const

const legOf = (hash: Leg["hash"]): Leg => ({
  chainId: 1,
  hash,
  block: null,
  state: hash === null ? "PENDING" : "FINAL",
  stage: 0
})

/** Transactions with few different values per field, so that a filter matches some of them. */
export const AnyTransactions: Arbitrary.Arbitrary<Array<Partial<Transaction>>> = Arbitrary.array(
  Arbitrary.all({
    type: arbitraryOf<Transaction["type"]>("SWAP", "TRANSFER", "BATCH"),
    status: arbitraryOf<Transaction["status"]>("PROCESSING", "COMPLETED"),
    chainIdIn: arbitraryOf<Transaction["chainIdIn"]>(1, 137, 0, null),
    chainIdOut: arbitraryOf<Transaction["chainIdOut"]>(1, 137, 0, null),
    userOperationHash: arbitraryOf(null, ...hashes),
    legs: arbitraryOf<Transaction["legs"]>(
      [],
      [legOf(null)],
      [legOf(hashes[0])],
      [legOf(null), legOf(hashes[1])],
      hashes.map(legOf)
    ),
    subject: arbitraryOf(null, "position:7", "position:8"),
    metadata: arbitraryOf<Transaction["metadata"]>(
      {},
      { positionId: "7" },
      { positionId: "p", note: "7" },
      { note: "p" }
    ),
    details: arbitraryOf<Transaction["details"]>(
      {},
      detectedTokenDetails.of({ token: anAddress(), isListed: true }),
      detectedTokenDetails.of({ token: anAddress(), isListed: false })
    ),
    createdAt: arbitraryOf(at(0), at(1), at(2), at(3))
  }),
  { maxLength: 10 }
)

export const AnyFilter: Arbitrary.Arbitrary<HistoryFilter> = Arbitrary.map(
  Arbitrary.all({
    types: mostlyUndefined([], ["SWAP"], ["TRANSFER", "BATCH"]),
    statuses: mostlyUndefined([], ["COMPLETED"], ["COMPLETED", "PROCESSING"]),
    userOperationHash: mostlyUndefined(...hashes),
    transactionHash: mostlyUndefined(...hashes),
    chains: mostlyUndefined([], [1], [137, 0]),
    chainIdIn: mostlyUndefined(1, 137, 0),
    chainIdOut: mostlyUndefined(1, 137, 0),
    createdAtLatest: mostlyUndefined(at(1), at(2)),
    createdAtOldest: mostlyUndefined(at(1), at(2)),
    metadata: mostlyUndefined(
      { key: "positionId", value: "p" },
      { key: "positionId", value: "7" },
      { key: "note", value: "7" },
      { key: "note", value: "none" }
    ),
    subject: mostlyUndefined(
      { id: "position:7", orMetadata: null },
      { id: "position:8", orMetadata: { key: "positionId", value: "p" } },
      { id: "position:7", orMetadata: { key: "positionId", value: "7" } }
    ),
    includeUnlisted: mostlyUndefined(true, false)
  }),
  (fields) => Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as HistoryFilter
)

const isAmong = <A>(value: A, choices: ReadonlyArray<A> | undefined): boolean =>
  choices === undefined || choices.length === 0 || choices.includes(value)

const equalsIfDefined = <A>(value: A, choice: A | undefined): boolean => choice === undefined || value === choice

const hasPair = ({ metadata }: Transaction, { key, value }: MetadataPair): boolean => metadata[key] === value

const hasMetadataAndSubject = (transaction: Transaction, { metadata, subject }: HistoryFilter): boolean =>
  (metadata === undefined || hasPair(transaction, metadata)) &&
  (subject === undefined ||
    transaction.subject === subject.id ||
    (subject.orMetadata !== null && hasPair(transaction, subject.orMetadata)))

/** Implements `HistoryFilter` as a reference. */
export const matches = (transaction: Transaction, filter: HistoryFilter): boolean =>
  (filter.includeUnlisted === true || !isUnlisted(transaction)) &&
  isAmong(transaction.type, filter.types) &&
  isAmong(transaction.status, filter.statuses) &&
  equalsIfDefined<string | null>(transaction.userOperationHash, filter.userOperationHash) &&
  (filter.transactionHash === undefined || transaction.legs.some(({ hash }) => hash === filter.transactionHash)) &&
  (isAmong<number | null>(transaction.chainIdIn, filter.chains) ||
    isAmong<number | null>(transaction.chainIdOut, filter.chains)) &&
  equalsIfDefined<number | null>(transaction.chainIdIn, filter.chainIdIn) &&
  equalsIfDefined<number | null>(transaction.chainIdOut, filter.chainIdOut) &&
  (filter.createdAtLatest === undefined ||
    DateTime.isLessThanOrEqualTo(transaction.createdAt, filter.createdAtLatest)) &&
  (filter.createdAtOldest === undefined ||
    DateTime.isGreaterThanOrEqualTo(transaction.createdAt, filter.createdAtOldest)) &&
  hasMetadataAndSubject(transaction, filter)

/** Compares transactions in the order of the history: by `createdAt`, then by id, both descending. */
export const newestFirst = (a: Transaction, b: Transaction): number =>
  DateTime.toEpochMillis(b.createdAt) - DateTime.toEpochMillis(a.createdAt) || (a.id < b.id ? 1 : -1)
