import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TransferClaims } from "../../accounting/history/index.ts"
import { aHash, anAddress } from "../../foundation/primitives/ids.fixture.ts"
import { arrivingTransfers, claimedArrivals, type IncomingTransfer } from "./claimedArrivals.ts"
import { anExecution } from "./Execution.fixture.ts"

const transfersOf = (...amounts: ReadonlyArray<bigint>) => amounts.map((amount, index) => ({ index, amount }))
const chosenIndices = (expected: bigint, ...amounts: ReadonlyArray<bigint>) =>
  arrivingTransfers(transfersOf(...amounts), expected).map(({ index }) => index)

describe("The transfers of an arrival", () => {
  it.each([
    ["the only one, with any amount", 100n, [3n], [0]],
    ["the only one, also with a larger amount", 100n, [900n], [0]],
    ["all parts of one amount", 100n, [60n, 30n, 9n], [0, 1, 2]],
    ["all parts of a little more", 100n, [60n, 45n], [0, 1]],
    ["the exact one, not a small one", 100n, [2n, 100n], [1]],
    ["the nearest of several deliveries", 100n, [700n, 99n, 98n], [1]],
    ["the first of two with the same distance", 100n, [98n, 98n, 102n], [0]],
    ["two of three", 100n, [60n, 700n, 40n], [0, 2]],
    ["the fewest of equal sums", 100n, [60n, 40n, 100n], [2]],
    ["parts in a row among many", 100n, [...Array.from({ length: 20 }, () => 700n), 60n, 40n], [20, 21]],
    ["none without transfers", 100n, [], []]
  ] as const)("are %s", (_name, expected, amounts, indices) => {
    assert.deepStrictEqual(chosenIndices(expected, ...amounts), [...indices])
  })
})

describe("A claim of an arrival", () => {
  const reference = { chainId: 1, hash: aHash(), account: anAddress() } as const
  const { projectId } = anExecution()
  const claimArrival = Effect.fnUntraced(function* (
    expected: bigint,
    offeredTransfers: ReadonlyArray<IncomingTransfer>,
    isPlausible: (amount: bigint) => boolean = () => true
  ) {
    const claim = yield* claimedArrivals
    const response = yield* claim({ ...anExecution(), projectId }, reference, offeredTransfers, {
      expected,
      isPlausible
    })
    return response._tag === "Claimed" ? response.amount : response._tag
  })

  it.effect("assigns different transfers to each operation, and none if all are claimed", () =>
    Effect.gen(function* () {
      const offeredTransfers = transfersOf(60n, 100n, 40n)
      assert.strictEqual(yield* claimArrival(100n, offeredTransfers, (amount) => amount > 100n), "Implausible")
      assert.strictEqual(yield* claimArrival(100n, offeredTransfers), 100n)
      assert.strictEqual(yield* claimArrival(100n, offeredTransfers), 100n)
      assert.strictEqual(yield* claimArrival(100n, offeredTransfers), "Taken")
    }).pipe(Effect.provide(TransferClaims.layerMemory))
  )

  it.effect("assigns different transfers to concurrent operations", () =>
    Effect.gen(function* () {
      const claims = yield* TransferClaims
      // Both operations read the claims before either of them stores its claim.
      const slowClaims = TransferClaims.of({
        ...claims,
        readClaimedByOthers: (claim) => Effect.tap(claims.readClaimedByOthers(claim), () => Effect.yieldNow)
      })
      const amounts = yield* Effect.forEach([1, 2, 3, 4], () => claimArrival(100n, transfersOf(100n, 100n, 100n)), {
        concurrency: "unbounded"
      }).pipe(Effect.provideService(TransferClaims, slowClaims))
      assert.deepStrictEqual(amounts, [100n, 100n, 100n, "Taken"])
    }).pipe(Effect.provide(TransferClaims.layerMemory))
  )

  it.effect("splits a shared transfer, and never claims more than its amount", () =>
    Effect.gen(function* () {
      const offeredTransfers = [{ index: 0, amount: 150n, isShared: true }]
      assert.strictEqual(yield* claimArrival(100n, offeredTransfers), 100n)
      assert.strictEqual(yield* claimArrival(100n, offeredTransfers), 50n)
      assert.strictEqual(yield* claimArrival(100n, offeredTransfers), "Taken")
    }).pipe(Effect.provide(TransferClaims.layerMemory))
  )
})
