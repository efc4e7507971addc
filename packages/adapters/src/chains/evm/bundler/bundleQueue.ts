import { Effect, type Scope } from "effect"
import { nextBundle } from "./nextBundle.ts"
import type { Submission } from "./Submission.ts"

/** Operations that come within this time of the first go with it. */
const GATHERING_MS = 2

/**
 * Operations of one chain and EntryPoint that wait to be sent. Each sender takes a bundle at a time; what comes while all
 * of them are at work goes together in the next ones. What `send` answers is tried again, alone and after all others.
 */
export const bundleQueue = <Sender>(
  senders: ReadonlyArray<Sender>,
  scope: Scope.Scope,
  send: (sender: Sender, bundle: ReadonlyArray<Submission>) => Effect.Effect<ReadonlyArray<Submission>>
) => {
  const idle = [...senders]
  let waiting: ReadonlyArray<Submission> = []

  const take = (): ReadonlyArray<Submission> => {
    const bundle = nextBundle(waiting)
    const taken = new Set(bundle)
    waiting = waiting.filter((submission) => !taken.has(submission))
    return bundle
  }

  const work = Effect.fnUntraced(function* (sender: Sender) {
    yield* Effect.sleep(GATHERING_MS)
    for (let bundle = take(); bundle.length > 0; bundle = take()) {
      const apart = yield* send(sender, bundle)
      waiting = [...waiting, ...apart.map((submission) => ({ ...submission, isSuspect: true }))]
    }
    // Without a wait since the last look: nothing can have come in between.
    idle.push(sender)
  })

  return (submission: Submission): Effect.Effect<void> =>
    Effect.suspend(() => {
      waiting = [...waiting, submission]
      // No more than could each have a bundle: the rest stay free for what comes next.
      const sender = waiting.length === 1 || idle.length < senders.length ? idle.shift() : undefined
      return sender === undefined ? Effect.void : Effect.asVoid(Effect.forkIn(work(sender), scope))
    })
}
