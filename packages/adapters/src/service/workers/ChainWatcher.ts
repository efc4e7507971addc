import { BitcoinWatch } from "@countersign/core/bitcoin/activity"
import { ActivityWatch } from "@countersign/core/wallets/chain-activity"
import { Effect, Layer } from "effect"
import { forkRounds } from "./forkRounds.ts"

/** Delay if no chain is due, which is known without a database query. */
const waitForNextPoll = Effect.sleep(250)
/** Number of chains that are polled concurrently, so that a chain with a slow node does not delay the others. */
const POLLER_COUNT = 3

/**
 * Watches the chains for activity of registered wallets while the layer exists. Several processes may run this worker,
 * because each process claims different chains.
 */
export const layer: Layer.Layer<never, never, ActivityWatch | BitcoinWatch> = Layer.effectDiscard(
  Effect.gen(function* () {
    const { watchDue } = yield* ActivityWatch
    const bitcoin = yield* BitcoinWatch
    const round = Effect.flatMap(watchDue, (wasDue) => (wasDue ? Effect.void : waitForNextPoll))
    const bitcoinRound = Effect.flatMap(bitcoin.watchDue, (wasDue) => (wasDue ? Effect.void : waitForNextPoll))
    if (bitcoin.isOn) yield* forkRounds(bitcoinRound, "watching Bitcoin failed")
    yield* Effect.forEach(Array.from({ length: POLLER_COUNT }), () => forkRounds(round, "watching chains failed"))
  })
)
