import type { Operation } from "./operations.ts"

/**
 * The result of an execution as its client knows it. PROMISED: the response was 200. REFUSED: the response was an error
 * of the request. UNKNOWN: the request was sent, and the server died before it responded.
 */
export type ExecuteKnowledge = "PROMISED" | "REFUSED" | "UNKNOWN"

export interface QuotedOperation extends Operation {
  readonly wallet: string
}

/** The responses that clients got. All of them must still be true at the end. */
export class Journal {
  /** Addresses whose registration returned 201, or that they are already registered. */
  readonly registrations = new Set<string>()
  /** Operations whose quotes returned 200, by hash. */
  readonly quotes = new Map<string, QuotedOperation>()
  readonly executes = new Map<string, ExecuteKnowledge>()
  /** Transaction ids in responses, by hash. Every response must have the same id. */
  readonly transactionIds = new Map<string, string>()
  /** Problems that clients noticed. */
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
    // An earlier attempt may have been accepted without a response. The retry must then get the same response.
    this.executes.set(hash, wasUnknown ? "UNKNOWN" : "REFUSED")
  }

  count(knowledge: ExecuteKnowledge): number {
    return [...this.executes.values()].filter((one) => one === knowledge).length
  }
}
