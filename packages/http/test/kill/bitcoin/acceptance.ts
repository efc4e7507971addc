import type { Moment } from "../Client.ts"
import type { SeededRandom } from "../SeededRandom.ts"
import type { ServiceClient } from "../ServiceClient.ts"
import type { PaymentJournal } from "./PaymentJournal.ts"

/** A signed quote, and what the client knows about its acceptance. */
export interface SignedQuote {
  readonly quoteId: string
  /** PROMISED: the response to an acceptance was 200. UNKNOWN: the response was lost. */
  knowledge: "PROMISED" | "UNKNOWN"
  transactionId: string | null
}

export interface AcceptanceContext {
  readonly service: ServiceClient
  readonly random: SeededRandom
  readonly journal: PaymentJournal
  readonly onMoment: (moment: Moment) => void
}

const MAX_ATTEMPTS = 200
/** Probability that a client gives up on a signed quote whose response was lost. */
const ABANDON_PROBABILITY = 0.3
/** Probability that the acceptance is sent twice concurrently. */
const REPEAT_PROBABILITY = 0.15

type AcceptResult = "ACCEPTED" | "REFUSED" | "UNKNOWN"

const acceptOnce = async (
  { journal, onMoment, random, service }: AcceptanceContext,
  signedQuote: SignedQuote,
  transactionHex: string
): Promise<AcceptResult> => {
  const { quoteId } = signedQuote
  const body = { quoteId, signatures: { [quoteId]: transactionHex } }
  let wasSent = false
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    onMoment("execute")
    const serviceResponse = await service.ask("/api/v1/crypto/execute", body)
    if (serviceResponse === null) {
      wasSent = true
      if (random.fraction() < ABANDON_PROBABILITY) return "UNKNOWN"
      continue
    }
    if (serviceResponse.status === 200) {
      const { transactionId } = serviceResponse.body
      if (signedQuote.transactionId !== null && signedQuote.transactionId !== transactionId)
        journal.surprises.push(
          `${quoteId} was answered with ${signedQuote.transactionId}, and then with ${transactionId}`
        )
      signedQuote.knowledge = "PROMISED"
      signedQuote.transactionId = transactionId
      onMoment("executed")
      return "ACCEPTED"
    }
    if (serviceResponse.status < 500) {
      if (signedQuote.knowledge === "PROMISED")
        journal.surprises.push(`${quoteId} was promised, and then refused: ${JSON.stringify(serviceResponse.body)}`)
      return wasSent ? "UNKNOWN" : "REFUSED"
    }
  }
  throw new Error(`execute: no answer after ${MAX_ATTEMPTS} attempts`)
}

/**
 * Sends a signed transaction until a server responds or the client gives up, sometimes twice concurrently. Returns
 * false if all attempts were rejected and the quote was not accepted before.
 */
export const accept = async (
  context: AcceptanceContext,
  signedQuote: SignedQuote,
  transactionHex: string
): Promise<boolean> => {
  const submitOnce = () => acceptOnce(context, signedQuote, transactionHex)
  const acceptResults = await (context.random.fraction() < REPEAT_PROBABILITY
    ? Promise.all([submitOnce(), submitOnce()])
    : Promise.all([submitOnce()]))
  return !acceptResults.every((response) => response === "REFUSED") || signedQuote.knowledge === "PROMISED"
}
