import { chainOf } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import type {
  OperatorAccount,
  OperatorTransaction,
  OperatorTransactionStore
} from "@countersign/core/operations/operator"
import { DateTime, Effect, Schedule, Semaphore } from "effect"
import type { PrivateKeyAccount } from "viem"

/** Lease time in seconds. A process that does not renew its claim within this time is treated as dead. */
const LEASE_SECONDS = 10
/** Waits longer than the lease, so that a waiting process can take over the claim of a dead process. */
const CLAIM_RETRIES = Schedule.spaced("10 millis").pipe(Schedule.upTo({ duration: "15 seconds" }))

/** An operator account that this process has claimed. */
export interface ClaimedOperatorAccount {
  readonly id: OperatorAccount
  readonly account: PrivateKeyAccount
  /** Runs an effect while no other sender, in this or another process, uses the account. */
  readonly runExclusively: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E | UpstreamUnavailable, R>
  /** Stores transactions. A transaction must be stored before it is broadcast. Fails if the turn has ended. */
  readonly write: (transactions: ReadonlyArray<OperatorTransaction>) => Effect.Effect<void, UpstreamUnavailable>
}

export const claimedOperatorAccount = (
  store: OperatorTransactionStore["Service"],
  holder: string,
  operatorAccount: OperatorAccount,
  account: PrivateKeyAccount
): ClaimedOperatorAccount => {
  const sendLock = Semaphore.makeUnsafe(1)
  const upstreamError = (reason: string) =>
    new UpstreamUnavailable({ upstream: `Bundler of ${chainOf(operatorAccount.chainId).name}`, reason })

  const claim = Effect.gen(function* () {
    const now = yield* DateTime.now
    const claimedUntil = DateTime.add(now, { seconds: LEASE_SECONDS })
    const isClaimed = yield* store.claim(operatorAccount, "SEND", { holder, now, until: claimedUntil })
    if (!isClaimed) return yield* upstreamError("other processes are using the operator's key")
  })

  return {
    id: operatorAccount,
    account,
    runExclusively: (effect) =>
      Semaphore.withPermit(
        sendLock,
        Effect.acquireUseRelease(
          Effect.retry(claim, CLAIM_RETRIES),
          () => effect,
          () => store.release(operatorAccount, "SEND", holder)
        )
      ),
    write: Effect.fnUntraced(function* (transactions) {
      const isWritten = yield* store.record(operatorAccount, { holder, now: yield* DateTime.now }, transactions)
      if (!isWritten) return yield* upstreamError("another process has taken over the operator's key")
    })
  }
}
