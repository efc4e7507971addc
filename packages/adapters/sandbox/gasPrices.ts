import type { EvmChainId } from "@countersign/core/foundation/chains"

export interface GasPrice {
  /** Base fee in wei per gas. It is fixed, because it would fall to zero on an idle anvil. */
  readonly baseFeePerGas: bigint
  /**
   * Tip in wei per gas of the sandbox's own transactions. For other transactions, anvil suggests the tips of recent
   * blocks.
   */
  readonly tipPerGas: bigint
}

const GWEI = 1_000_000_000n

/** Typical gas prices by chain. */
export const gasPriceOf: Readonly<Record<EvmChainId, GasPrice>> = {
  1: { baseFeePerGas: 2n * GWEI, tipPerGas: GWEI / 10n },
  10: { baseFeePerGas: GWEI / 1_000n, tipPerGas: GWEI / 1_000n },
  56: { baseFeePerGas: GWEI / 20n, tipPerGas: GWEI / 20n },
  100: { baseFeePerGas: GWEI / 10n, tipPerGas: GWEI / 100n },
  137: { baseFeePerGas: 30n * GWEI, tipPerGas: 25n * GWEI },
  196: { baseFeePerGas: GWEI / 50n, tipPerGas: GWEI / 1_000n },
  8453: { baseFeePerGas: GWEI / 200n, tipPerGas: GWEI / 1_000n },
  42161: { baseFeePerGas: GWEI / 100n, tipPerGas: GWEI / 1_000n },
  43114: { baseFeePerGas: GWEI, tipPerGas: GWEI / 100n }
}

/** Returns the fee fields of the sandbox's own transactions for JSON-RPC. */
export const feeFieldsOf = (chainId: EvmChainId) => {
  const { baseFeePerGas, tipPerGas } = gasPriceOf[chainId]
  return {
    maxFeePerGas: `0x${(baseFeePerGas * 2n + tipPerGas).toString(16)}`,
    maxPriorityFeePerGas: `0x${tipPerGas.toString(16)}`
  }
}
