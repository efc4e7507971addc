import type { Operation } from "./operations.ts"

/**
 * What became of an execute as its client knows it. PROMISED: answered with 200. REFUSED: answered with an error of the
 * request's own. UNKNOWN: sent, and the server died before it answered.
 */
export type ExecuteKnowledge = "PROMISED" | "REFUSED" | "UNKNOWN"

export interface QuotedOperation extends Operation {
  readonly wallet: string
}

/** What the clients were told: everything that must still be so at the end. */
export class Journal {
  /** Addresses whose registration was answered with 201, or as registered already. */
  readonly registrations = new Set<string>()
  /** Operations whose quotes were answered with 200, by hash. */
  readonly quotes = new Map<string, QuotedOperation>()
  readonly executes = new Map<string, ExecuteKnowledge>()
  /** Transaction ids that were answered, by hash: the same for every answer. */
  readonly transactionIds = new Map<string, string>()
  /** What should not have happened, in words. */
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
    const earlier = this.transactionIds.get(hash)
    if (earlier !== undefined && earlier !== transactionId) {
      this.surprises.push(`${hash} was answered with transaction ${earlier}, and then with ${transactionId}`)
    }
    this.transactionIds.set(hash, transactionId)
    this.executes.set(hash, "PROMISED")
  }

  refused(hash: string, reason: string, wasUnknown: boolean): void {
    if (this.executes.get(hash) === "PROMISED") {
      this.surprises.push(`${hash} was promised, and then refused: ${reason}`)
      return
    }
    // An earlier attempt may have been accepted without an answer; then a repetition must be answered like it.
    this.executes.set(hash, wasUnknown ? "UNKNOWN" : "REFUSED")
  }

  count(knowledge: ExecuteKnowledge): number {
    return [...this.executes.values()].filter((one) => one === knowledge).length
  }
}
