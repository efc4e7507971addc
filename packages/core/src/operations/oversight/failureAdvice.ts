/** Remedies for the operator, by the failed transaction's error code. */
const advice: ReadonlyMap<string, string> = new Map([
  [
    "REVERTED",
    "A block included the operation, and it reverted: see the reason. The owner needs a new quote, with a higher slippage if the price moved."
  ],
  [
    "NOT_INCLUDED",
    "No block included the operation before its deadline. Check the nodes and the operator balances with `countersign doctor`. The owner needs a new quote."
  ],
  [
    "REJECTED",
    "The bundler rejected the operation: see the reason. Check the deposits of the paymaster. The owner needs a new quote."
  ],
  [
    "NOT_FILLED",
    "The provider did not complete the transfer. Look up the transaction at the provider, and ask its support."
  ],
  ["FIAT_ORDER_FAILED", "The fiat provider rejected the order: see the reason. Ask the provider about the order."],
  [
    "REORGED",
    "No action is necessary: a reorg removed the block. The transaction is recorded again if a later block includes it."
  ],
  ["REPLACED", "No action is necessary: another transaction of the wallet spends the same inputs."],
  ["DROPPED", "The network dropped the payment. The owner needs a new quote, with a higher fee rate."]
])

export const adviceOnFailure = (code: string): string =>
  advice.get(code) ?? "See the reason. The owner needs a new quote."
