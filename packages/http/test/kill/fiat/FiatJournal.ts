import type { ExecuteKnowledge } from "../Journal.ts"

export interface JournalOrder {
  readonly id: string
  readonly direction: "DEPOSIT" | "WITHDRAWAL"
  readonly wallet: string
  /** Hash of a withdrawal's operation; null if the response was lost, so that the client did not sign it. */
  readonly hash: string | null
  execute: ExecuteKnowledge | null
}

/** Records the responses about orders that clients got. All of them must still be true at the end. */
export class FiatJournal {
  readonly wallets = new Set<string>()
  readonly orders = new Map<string, JournalOrder>()
  /** Contradictions that clients noticed. */
  readonly surprises: Array<string> = []

  recordCreated(order: Omit<JournalOrder, "execute">): JournalOrder {
    if (this.orders.has(order.id)) this.surprises.push(`order ${order.id} was made of two quotes`)
    const journaledOrder = { ...order, execute: null }
    this.orders.set(order.id, journaledOrder)
    return journaledOrder
  }
}
