import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Result } from "effect"
import { BitcoinProofs } from "../../bitcoin/chain/index.ts"
import { aBitcoinAddress } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes, UnitOfWork } from "../../foundation/primitives/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { BitcoinWallets } from "./BitcoinWallets.ts"
import { WalletAlreadyRegistered } from "./errors.ts"
import type { BitcoinWallet } from "./Wallet.ts"
import { WalletStore } from "./WalletStore.ts"

const address = aBitcoinAddress()
const publicKey = HexBytes.make(`0x02${"aa".repeat(32)}`)
const derivation = { masterFingerprint: "73c5da0a", path: "m/84'/0'/0'/0/0" } as const

/** Creates a store whose reads finish before the writes of concurrent registrations. */
const makeFixture = () => {
  let storedWallet: BitcoinWallet | null = null
  const store = Layer.mock(WalletStore, {
    lock: () => Effect.void,
    find: () => Effect.suspend(() => Effect.andThen(Effect.yieldNow, Effect.succeed(Option.fromNullOr(storedWallet)))),
    insert: (wallet) =>
      Effect.suspend(() => {
        if (storedWallet !== null) return Effect.fail(new WalletAlreadyRegistered({ walletAddress: address }))
        storedWallet = wallet as BitcoinWallet
        return Effect.void
      }),
    updateBitcoin: (_, _address, changes) =>
      Effect.sync(() => {
        storedWallet = { ...storedWallet!, ...changes }
        return true
      })
  })
  const proofs = Layer.succeed(BitcoinProofs, {
    check: () => Result.fail("A registration by the operator has no proof"),
    parseAddress: () => Result.succeed({ address, kind: "P2WPKH" as const }),
    keyOf: (_, key) => Result.succeed(key)
  })
  const outbox = Layer.mock(EventOutbox, { append: (event) => Effect.succeed(event as never) })
  const layer = BitcoinWallets.layer.pipe(
    Layer.provide([store, proofs, outbox, Layer.succeed(UnitOfWork, { run: (work) => work })])
  )
  return { layer, key: () => storedWallet?.key ?? null }
}

describe("Concurrent registrations of a Bitcoin address", () => {
  for (const derivations of [
    [null, derivation],
    [derivation, null]
  ]) {
    it.effect(`store the derivation that one of them has: ${JSON.stringify(derivations)}`, () => {
      const { key, layer } = makeFixture()
      return Effect.gen(function* () {
        const { attach } = yield* BitcoinWallets
        const projectId = aProjectId()
        yield* Effect.forEach(
          derivations,
          (keyDerivation) =>
            Effect.result(attach(projectId, { address, metadata: {}, publicKey, derivation: keyDerivation })),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(key(), { publicKey, derivation })
      }).pipe(Effect.provide(layer))
    })
  }
})
