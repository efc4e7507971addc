import { Effect, type Scope } from "effect"
import { nextBundle } from "./nextBundle.ts"
import type { Submission } from "./Submission.ts"

/** Operations that arrive within this time after the first one are bundled with it, in milliseconds. */
const BATCH_WINDOW_MS = 2

/**
 * Queues the operations of one chain and EntryPoint. Each sender sends one bundle at a time. Operations that arrive
 * while all senders are busy go into later bundles. Operations that `send` returns are retried after all others, each
 * on its own.
 */
export const bundleQueue = <Sender>(
  senders: ReadonlyArray<Sender>,
  scope: Scope.Scope,
  send: (sender: Sender, bundle: ReadonlyArray<Submission>) => Effect.Effect<ReadonlyArray<Submission>>
) => {
  const idleSenders = [...senders]
  let waitingSubmissions: ReadonlyArray<Submission> = []

  const takeBundle = (): ReadonlyArray<Submission> => {
    const bundle = nextBundle(waitingSubmissions)
    const bundledSubmissions = new Set(bundle)
    waitingSubmissions = waitingSubmissions.filter((submission) => !bundledSubmissions.has(submission))
    return bundle
  }

  const work = Effect.fnUntraced(function* (sender: Sender) {
    yield* Effect.sleep(BATCH_WINDOW_MS)
    for (let bundle = takeBundle(); bundle.length > 0; bundle = takeBundle()) {
      const singleOperations = yield* send(sender, bundle)
      waitingSubmissions = [
        ...waitingSubmissions,
        ...singleOperations.map((submission) => ({ ...submission, isSuspect: true }))
      ]
    }
    // No operation can have arrived since the last check, because this fiber did not yield in between.
    idleSenders.push(sender)
  })

  return (submission: Submission): Effect.Effect<void> =>
    Effect.suspend(() => {
      waitingSubmissions = [...waitingSubmissions, submission]
      // A sender that finds no waiting operation after the batch window is idle again.
      const sender = idleSenders.shift()
      return sender === undefined ? Effect.void : Effect.asVoid(Effect.forkIn(work(sender), scope))
    })
}
