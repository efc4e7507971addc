import { Effect } from "effect"
import { Hash32 } from "../../foundation/primitives/index.ts"
import { BitcoinChain } from "./BitcoinChain.ts"

/** The genesis block of the main network (Bitcoin Core, `chainparams.cpp`). */
const MAIN_GENESIS = Hash32.make("0x000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f")

/**
 * Whether the chain is the main network, according to its genesis block. Addresses do not show this, because test
 * chains may also use addresses in the mainnet format. The result is cached.
 */
export const mainChain = Effect.gen(function* () {
  const chain = yield* BitcoinChain
  let isMain: boolean | null = null
  return Effect.suspend(() =>
    isMain === null
      ? Effect.map(chain.blockHash(0), (hash) => {
          isMain = hash === MAIN_GENESIS
          return isMain
        })
      : Effect.succeed(isMain)
  )
})
