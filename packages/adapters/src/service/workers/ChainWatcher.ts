import { BitcoinWatch } from "@countersign/core/bitcoin/activity"
import { ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** How long it waits if no chain is due. Whether one is due is known without a statement to the database. */
const idle = Effect.sleep(250)
/** Chains that are looked at at once: one whose node is slow does not keep the others. */
const LOOKS = 3

/**
 * Looks for what happens to registered wallets on their chains, for as long as the layer lives. Any number of processes may
 * run one: each chain is worked on by one of them.
 */
export const layer: Layer.Layer<never, never, ActivityWatch | BitcoinWatch> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { watchDue } = yield* ActivityWatch
    const bitcoin = yield* BitcoinWatch
    const round = Effect.flatMap(watchDue, (wasDue) => (wasDue ? Effect.void : idle))
    const bitcoinRound = Effect.flatMap(bitcoin.watchDue, (wasDue) => (wasDue ? Effect.void : idle))
    if (bitcoin.isOn) yield* forkRounds(bitcoinRound, "watching Bitcoin failed")
    yield* Effect.forEach(Array.from({ length: LOOKS }), () => forkRounds(round, "watching chains failed"))
  })
)
