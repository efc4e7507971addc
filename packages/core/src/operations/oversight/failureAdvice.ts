/** Remedies for the operator, by the failed transaction's error code. */
const advice: ReadonlyMap<string, string> = new Map([
  [
    "REVERTED",
    "The operation is in a block and reverted; see the reason. The owner needs a new quote. If the price moved, more slippage helps."
  ],
  [
    "NOT_INCLUDED",
    "No block included the operation before its deadline. Check the nodes and the operator balances with `countersign doctor`. The owner needs a new quote."
  ],
  [
    "REJECTED",
    "The bundler refused the operation; see the reason. Check the deposits of the paymaster. The owner needs a new quote."
  ],
  [
    "NOT_FILLED",
    "The provider did not complete the transfer. Look up the transaction at the provider, and ask its support."
  ],
  ["FIAT_ORDER_FAILED", "The fiat provider refused the order; see the reason. Ask the provider about the order."],
  ["REORGED", "Nothing: the chain replaced the block. The transaction is recorded again if a later block has it."],
  ["REPLACED", "Nothing: another transaction of the wallet spends the same inputs."],
  ["DROPPED", "The network dropped the payment. The owner needs a new quote, with a higher fee rate."]
])

export const adviceOnFailure = (code: string): string =>
  advice.get(code) ?? "See the reason. The owner needs a new quote."
