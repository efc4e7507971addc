import { SandboxBank } from "../bank/index.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { BookedOrders } from "./BookedOrders.ts"
import { SandboxOrderBook } from "./SandboxOrderBook.ts"
import { SandboxSolver } from "./SandboxSolver.ts"

export type { SolverMode } from "./SandboxSolver.ts"

/** The order books of the chains, and who settles their orders. */
export interface SandboxBook {
  readonly book: SandboxOrderBook
  readonly solver: SandboxSolver
  /** Beside the books, because the gateway serves both. */
  readonly bank: SandboxBank
}

/** The books, with a solver that works until it is stopped. */
export const sandboxBook = async (
  network: SandboxNetwork,
  home: string,
  solver: string,
  fresh: boolean
): Promise<SandboxBook> => {
  const book = new SandboxOrderBook(network, new BookedOrders(home))
  const bank = new SandboxBank(network, home)
  if (fresh) {
    book.orders.clear()
    await bank.forget()
  }
  const sandboxSolver = new SandboxSolver(network, book, solver)
  sandboxSolver.start()
  return { book, solver: sandboxSolver, bank }
}
