import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { Effect } from "effect"
import { RpcClients, suggestedFees } from "../evm/index.ts"

/** The native balance and the nonces of an operator account. */
export interface OperatorFunds {
  readonly address: Address
  readonly balance: bigint
  /** Suggested `maxFeePerGas` in wei. */
  readonly maxFeePerGas: bigint
  /** Next nonce according to the latest block, and according to the state that includes the mempool. */
  readonly latestNonce: number
  readonly pendingNonce: number
}

export const probeOperator = Effect.fnUntraced(function* (chainId: EvmChainId, address: Address) {
  const rpc = yield* RpcClients
  return yield* rpc.call(chainId, async (client): Promise<OperatorFunds> => {
    const [balance, fees, latestNonce, pendingNonce] = await Promise.all([
      client.getBalance({ address }),
      suggestedFees(client),
      client.getTransactionCount({ address, blockTag: "latest" }),
      client.getTransactionCount({ address, blockTag: "pending" })
    ])
    const { maxFeePerGas } = fees
    return { address, balance, maxFeePerGas, latestNonce, pendingNonce }
  })
})
