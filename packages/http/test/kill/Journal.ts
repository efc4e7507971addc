import type { Operation } from "./operations.ts"

/**
 * What a client knows about an execution. PROMISED: the response was 200. REFUSED: the response was a request error.
 * UNKNOWN: the server died before it responded.
 */
export type ExecuteKnowledge = "PROMISED" | "REFUSED" | "UNKNOWN"

export interface QuotedOperation extends Operation {
  readonly wallet: string
}

/** Records the responses that clients got. All of them must still be true at the end. */
export class Journal {
  /** Addresses whose registration returned 201, or an error that they are already registered. */
  readonly registrations = new Set<string>()
  /** Operations whose quote request returned 200, by hash. */
  readonly quotes = new Map<string, QuotedOperation>()
  readonly executes = new Map<string, ExecuteKnowledge>()
  /** Transaction ids in responses, by operation hash. All responses must contain the same id. */
  readonly transactionIds = new Map<string, string>()
  /** Contradictions that clients noticed. */
  readonly surprises: Array<string> = []

  registered(address: string): void {
    this.registrations.add(address)
  }

  quoted(hash: string, operation: QuotedOperation): void {
    this.quotes.set(hash, operation)
  }

  sending(hash: string): void {
    if (!this.executes.has(hash)) this.executes.set(hash, "UNKNOWN")
  }

  promised(hash: string, transactionId: string): void {
    const earlierId = this.transactionIds.get(hash)
    if (earlierId !== undefined && earlierId !== transactionId) {
      this.surprises.push(`${hash} was answered with transaction ${earlierId}, and then with ${transactionId}`)
    }
    this.transactionIds.set(hash, transactionId)
    this.executes.set(hash, "PROMISED")
  }

  refused(hash: string, reason: string, wasUnknown: boolean): void {
    if (this.executes.get(hash) === "PROMISED") {
      this.surprises.push(`${hash} was promised, and then refused: ${reason}`)
      return
    }
    // An earlier attempt may have been accepted although its response was lost. Then a rejection of the retry does not
    // mean that the operation was rejected.
    this.executes.set(hash, wasUnknown ? "UNKNOWN" : "REFUSED")
  }

  count(knowledge: ExecuteKnowledge): number {
    return [...this.executes.values()].filter((one) => one === knowledge).length
  }
}
