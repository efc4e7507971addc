import { DEMO_INDIVIDUAL, EXAMPLE_INDIVIDUAL, SandboxBank } from "../bank/index.ts"
import { bridgeChains, SandboxBridge } from "../bridge/index.ts"
import type { SandboxNetwork } from "../network/SandboxNetwork.ts"
import { BookedOrders } from "./BookedOrders.ts"
import { SandboxOrderBook } from "./SandboxOrderBook.ts"
import { SandboxSolver } from "./SandboxSolver.ts"

export type { SolverMode } from "./SandboxSolver.ts"

/** The order books of the chains, their solver, and the fiat providers. */
export interface SandboxBook {
  readonly book: SandboxOrderBook
  readonly solver: SandboxSolver
  /** Included here, because the gateway serves the bank together with the order books. */
  readonly bank: SandboxBank
  readonly bridge: SandboxBridge
}

/**
 * Creates the order books, a solver that runs until it is stopped, and the fiat providers. If `fresh` is true, deletes
 * their stored data.
 */
export const sandboxBook = async (
  network: SandboxNetwork,
  home: string,
  solver: string,
  fresh: boolean
): Promise<SandboxBook> => {
  const orderBook = new SandboxOrderBook(network, new BookedOrders(home))
  const bank = new SandboxBank(network, home)
  const bridge = new SandboxBridge(bridgeChains(network), { asksForAll: false }, home)
  if (fresh) {
    orderBook.orders.clear()
    await bank.clear()
    await bridge.clear()
  }
  for (const individual of [DEMO_INDIVIDUAL, EXAMPLE_INDIVIDUAL]) bridge.customers.add(individual)
  const sandboxSolver = new SandboxSolver(network, orderBook, solver)
  sandboxSolver.start()
  return { book: orderBook, solver: sandboxSolver, bank, bridge }
}
