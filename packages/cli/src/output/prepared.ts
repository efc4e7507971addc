import { mainOperation } from "@countersign/core/intents"
import { type Quote, signDataOf } from "@countersign/core/quotes"
import { DateTime, Effect } from "effect"
import { Refused } from "../environment/errors.ts"

/** The lines of a card that tell what a quote would do, until when, what is to be signed for it, and how. */
export const preparedRows = (quote: Quote, calls: ReadonlyArray<{ readonly summary: string }>) =>
  [
    ["can execute", quote.revertReason === null ? "yes" : `no: ${quote.revertReason.decoded}`],
    ["valid until", DateTime.formatIso(quote.expiresAt)],
    ...calls.map((call, i) => [i === 0 ? "calls" : "", call.summary] as const),
    ...signDataOf(quote).map(
      (signDatum, i) =>
        [i === 0 ? "to sign" : "", `${signDatum.type} by ${signDatum.method}: ${signDatum.hash}`] as const
    ),
    ["next", `countersign sign ${mainOperation(quote.intents)?.hash ?? quote.id}`]
  ] as const

/** Fails where none of the quotes can be executed as things stand, so that a script does not go on to sign one. */
export const requireExecutable = (quotes: ReadonlyArray<Quote>): Effect.Effect<void, Refused> => {
  const [first] = quotes
  if (first === undefined || quotes.some(({ revertReason }) => revertReason === null)) return Effect.void
  return Effect.fail(new Refused({ reason: `The quote can't be executed: ${first.revertReason!.decoded}` }))
}
