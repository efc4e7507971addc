import { assert, layer } from "@effect/vitest"
import { Effect, type Layer } from "effect"
import { BitcoinAddress } from "../primitives/index.ts"
import { type BitcoinBalance, BitcoinChain } from "./BitcoinChain.ts"

export interface BitcoinChainScene {
  readonly height: number
  /** Addresses with what they have: of every kind, and one whose coins are being spent. */
  readonly balances: ReadonlyMap<BitcoinAddress, BitcoinBalance>
}

/** Of which no chain knows anything. */
const UNUSED = BitcoinAddress.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")

/** What every `BitcoinChain` must do, given what is on the chain. */
export const bitcoinChainContract = <E>(
  name: string,
  chain: Layer.Layer<BitcoinChain, E>,
  { balances, height }: BitcoinChainScene
): void => {
  layer(chain)(`BitcoinChain of ${name}`, (it) => {
    it.effect("tells the height of the latest block", () =>
      Effect.gen(function* () {
        assert.strictEqual(yield* (yield* BitcoinChain).tipHeight, height)
      })
    )

    it.effect("tells what an address has in blocks, and what waiting transactions change", () =>
      Effect.gen(function* () {
        const { balance } = yield* BitcoinChain
        assert.isTrue([...balances.values()].some(({ unconfirmed }) => unconfirmed < 0n))
        for (const [address, expected] of balances) assert.deepStrictEqual(yield* balance(address), expected)
      })
    )

    it.effect("tells zero of an address that nothing was ever paid to", () =>
      Effect.gen(function* () {
        const { balance } = yield* BitcoinChain
        assert.deepStrictEqual(yield* balance(UNUSED), { confirmed: 0n, unconfirmed: 0n })
      })
    )
  })
}
