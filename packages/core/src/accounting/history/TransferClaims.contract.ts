import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { aHash, anAddress, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { NATIVE_TRANSFER, type TransferClaim, TransferClaims, type TransferShare } from "./TransferClaims.ts"

const fullShares = (...indices: ReadonlyArray<number>): ReadonlyArray<TransferShare> =>
  indices.map((index) => ({ index, amount: 5n, of: 5n }))

const aClaim = (fields: Partial<TransferClaim> = {}): TransferClaim => ({
  projectId: aProjectId(),
  transactionId: aUuid(),
  chainId: 1,
  hash: aHash(),
  account: anAddress(),
  shares: fullShares(0),
  ...fields
})

/** Contract tests that every `TransferClaims` must pass. */
export const transferClaimsContract = <E>(name: string, stores: Layer.Layer<TransferClaims, E>): void => {
  layer(stores)(`TransferClaims on ${name}`, (it) => {
    it.effect("assigns each transfer to one operation, and all transfers of a claim or none", () =>
      Effect.gen(function* () {
        const claims = yield* TransferClaims
        const firstClaim = aClaim({ shares: fullShares(NATIVE_TRANSFER, 3) })
        assert.isTrue(yield* claims.claim(firstClaim))
        assert.isTrue(yield* claims.claim(firstClaim))
        const secondClaim = { ...firstClaim, transactionId: aUuid(), shares: fullShares(4, 3) }
        assert.isFalse(yield* claims.claim(secondClaim))
        assert.deepStrictEqual(
          yield* claims.readClaimedByOthers(secondClaim),
          new Map([
            [NATIVE_TRANSFER, 5n],
            [3, 5n]
          ])
        )
        assert.deepStrictEqual(yield* claims.readClaimedByOthers(firstClaim), new Map())
        assert.isTrue(yield* claims.claim({ ...secondClaim, shares: fullShares(4) }))
        assert.deepStrictEqual(yield* claims.readClaimedByOthers(firstClaim), new Map([[4, 5n]]))
      })
    )

    it.effect("distinguishes projects, chains, transactions and accounts", () =>
      Effect.gen(function* () {
        const claims = yield* TransferClaims
        const firstClaim = aClaim()
        assert.isTrue(yield* claims.claim(firstClaim))
        for (const otherClaim of [
          { projectId: aProjectId() },
          { chainId: 8453 as const },
          { hash: aHash() },
          { account: anAddress() }
        ]) {
          assert.isTrue(yield* claims.claim({ ...firstClaim, transactionId: aUuid(), ...otherClaim }))
        }
        assert.deepStrictEqual(yield* claims.readClaimedByOthers({ ...firstClaim, chainId: 0 }), new Map())
      })
    )

    it.effect("splits a transfer among operations, up to its amount", () =>
      Effect.gen(function* () {
        const claims = yield* TransferClaims
        const transferAmount = 2n ** 200n
        const firstClaim = aClaim({ shares: [{ index: 0, amount: transferAmount - 10n, of: transferAmount }] })
        assert.isTrue(yield* claims.claim(firstClaim))
        assert.isTrue(yield* claims.claim(firstClaim))
        const claimOf = (amount: bigint) => ({
          ...firstClaim,
          transactionId: aUuid(),
          shares: [{ index: 0, amount, of: transferAmount }]
        })
        assert.isTrue(yield* claims.claim(claimOf(4n)))
        assert.isFalse(yield* claims.claim(claimOf(7n)))
        const claimResults = yield* Effect.forEach([3n, 3n, 3n, 3n], (amount) => claims.claim(claimOf(amount)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(
          claimResults.filter((isClaimed) => isClaimed),
          2
        )
        assert.deepStrictEqual(yield* claims.readClaimedByOthers(firstClaim), new Map([[0, 10n]]))
      })
    )

    it.effect("assigns a transfer to one of many concurrent operations", () =>
      Effect.gen(function* () {
        const claims = yield* TransferClaims
        const firstClaim = aClaim({ shares: fullShares(1, 2) })
        const responses = yield* Effect.forEach(
          Array.from({ length: 12 }, () => aUuid()),
          (transactionId) => claims.claim({ ...firstClaim, transactionId }),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          responses.filter((isClaimed) => isClaimed),
          1
        )
      })
    )
  })
}
