import { mainOperation } from "@countersign/core/intents"
import { type Quote, signDataOf } from "@countersign/core/quotes"
import { DateTime } from "effect"

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
