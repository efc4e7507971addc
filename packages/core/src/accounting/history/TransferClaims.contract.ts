import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { aHash, anAddress, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { NATIVE_TRANSFER, type TransferClaim, TransferClaims, type TransferShare } from "./TransferClaims.ts"

const whole = (...indices: ReadonlyArray<number>): ReadonlyArray<TransferShare> =>
  indices.map((index) => ({ index, amount: 5n, of: 5n }))

const aClaim = (fields: Partial<TransferClaim> = {}): TransferClaim => ({
  projectId: aProjectId(),
  transactionId: aUuid(),
  chainId: 1,
  hash: aHash(),
  account: anAddress(),
  shares: whole(0),
  ...fields
})

/** The contract of every `TransferClaims`. */
export const transferClaimsContract = <E>(name: string, stores: Layer.Layer<TransferClaims, E>): void => {
  layer(stores)(`TransferClaims on ${name}`, (it) => {
    it.effect("assigns each transfer to one operation, and a claim completely or not", () =>
      Effect.gen(function* () {
        const claims = yield* TransferClaims
        const first = aClaim({ shares: whole(NATIVE_TRANSFER, 3) })
        assert.isTrue(yield* claims.claim(first))
        assert.isTrue(yield* claims.claim(first))
        const second = { ...first, transactionId: aUuid(), shares: whole(4, 3) }
        assert.isFalse(yield* claims.claim(second))
        assert.deepStrictEqual(
          yield* claims.claimedByOthers(second),
          new Map([
            [NATIVE_TRANSFER, 5n],
            [3, 5n]
          ])
        )
        assert.deepStrictEqual(yield* claims.claimedByOthers(first), new Map())
        assert.isTrue(yield* claims.claim({ ...second, shares: whole(4) }))
        assert.deepStrictEqual(yield* claims.claimedByOthers(first), new Map([[4, 5n]]))
      })
    )

    it.effect("distinguishes projects, chains, transactions and accounts", () =>
      Effect.gen(function* () {
        const claims = yield* TransferClaims
        const first = aClaim()
        assert.isTrue(yield* claims.claim(first))
        for (const other of [
          { projectId: aProjectId() },
          { chainId: 8453 as const },
          { hash: aHash() },
          { account: anAddress() }
        ]) {
          assert.isTrue(yield* claims.claim({ ...first, transactionId: aUuid(), ...other }))
        }
        assert.deepStrictEqual(yield* claims.claimedByOthers({ ...first, chainId: 0 }), new Map())
      })
    )

    it.effect("divides a transfer among operations, up to its amount", () =>
      Effect.gen(function* () {
        const claims = yield* TransferClaims
        const of = 2n ** 200n
        const first = aClaim({ shares: [{ index: 0, amount: of - 10n, of }] })
        assert.isTrue(yield* claims.claim(first))
        assert.isTrue(yield* claims.claim(first))
        const shareOf = (amount: bigint) => ({ ...first, transactionId: aUuid(), shares: [{ index: 0, amount, of }] })
        assert.isTrue(yield* claims.claim(shareOf(4n)))
        assert.isFalse(yield* claims.claim(shareOf(7n)))
        const answers = yield* Effect.forEach([3n, 3n, 3n, 3n], (amount) => claims.claim(shareOf(amount)), {
          concurrency: "unbounded"
        })
        assert.lengthOf(
          answers.filter((isClaimed) => isClaimed),
          2
        )
        assert.deepStrictEqual(yield* claims.claimedByOthers(first), new Map([[0, 10n]]))
      })
    )

    it.effect("assigns a transfer to one of many concurrent claims", () =>
      Effect.gen(function* () {
        const claims = yield* TransferClaims
        const first = aClaim({ shares: whole(1, 2) })
        const answers = yield* Effect.forEach(
          Array.from({ length: 12 }, () => aUuid()),
          (transactionId) => claims.claim({ ...first, transactionId }),
          { concurrency: "unbounded" }
        )
        assert.lengthOf(
          answers.filter((isClaimed) => isClaimed),
          1
        )
      })
    )
  })
}
