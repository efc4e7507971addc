import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { aHash, anAddress, aUuid } from "../primitives/ids.fixture.ts"
import { aProjectId } from "../projects/Project.fixture.ts"
import { NATIVE_TRANSFER, type TransferClaim, TransferClaims } from "./TransferClaims.ts"

const aClaim = (fields: Partial<TransferClaim> = {}): TransferClaim => ({
  projectId: aProjectId(),
  transactionId: aUuid(),
  chainId: 1,
  hash: aHash(),
  account: anAddress(),
  indices: [0],
  ...fields
})

/** Required of every `TransferClaims`. */
export const transferClaimsContract = <E>(name: string, stores: Layer.Layer<TransferClaims, E>): void => {
  layer(stores)(`TransferClaims on ${name}`, (it) => {
    it.effect("gives each transfer to one operation, all of a claim or nothing", () =>
      Effect.gen(function* () {
        const claims = yield* TransferClaims
        const first = aClaim({ indices: [NATIVE_TRANSFER, 3] })
        assert.isTrue(yield* claims.claim(first))
        assert.isTrue(yield* claims.claim(first))
        const second = { ...first, transactionId: aUuid(), indices: [4, 3] }
        assert.isFalse(yield* claims.claim(second))
        assert.deepStrictEqual([...(yield* claims.claimedByOthers(second))].toSorted(), [NATIVE_TRANSFER, 3])
        assert.deepStrictEqual([...(yield* claims.claimedByOthers(first))], [])
        assert.isTrue(yield* claims.claim({ ...second, indices: [4] }))
        assert.deepStrictEqual([...(yield* claims.claimedByOthers(first))], [4])
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
        assert.deepStrictEqual([...(yield* claims.claimedByOthers({ ...first, chainId: 0 }))], [])
      })
    )

    it.effect("gives a transfer to one of many that ask concurrently", () =>
      Effect.gen(function* () {
        const claims = yield* TransferClaims
        const first = aClaim({ indices: [1, 2] })
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
