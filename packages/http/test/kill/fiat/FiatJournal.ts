import type { ExecuteKnowledge } from "../Journal.ts"

export interface JournalOrder {
  readonly id: string
  readonly direction: "DEPOSIT" | "WITHDRAWAL"
  readonly wallet: string
  /** Of a withdrawal's operation; null where the answer with it was lost, so that nobody signed. */
  readonly hash: string | null
  execute: ExecuteKnowledge | null
}

/** What the clients were told of orders: everything that must still be so at the end. */
export class FiatJournal {
  readonly wallets = new Set<string>()
  readonly orders = new Map<string, JournalOrder>()
  /** What should not have happened, in words. */
  readonly surprises: Array<string> = []

  made(order: Omit<JournalOrder, "execute">): JournalOrder {
    if (this.orders.has(order.id)) this.surprises.push(`order ${order.id} was made of two quotes`)
    const kept = { ...order, execute: null }
    this.orders.set(order.id, kept)
    return kept
  }
}
