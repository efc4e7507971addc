import type { EvmChainId } from "@countersign/core/chains"
import type { Address } from "@countersign/core/primitives"
import type { EntryPointVersion } from "@countersign/core/wallets"
import { Effect } from "effect"
import { accountContracts } from "../deployments/index.ts"
import { entryPointAbi, RpcClients, suggestedFees } from "../evm/index.ts"

/** The funds of a self bundler. */
export interface OperatorFunds {
  readonly address: Address
  readonly balance: bigint
  /** The current gas price. */
  readonly maxFeePerGas: bigint
  /** The nonce of the next transaction that a block takes, and of the next that the pool does. */
  readonly latestNonce: number
  readonly pendingNonce: number
}

/** Deposits of paymasters at their EntryPoints. */
export interface PaymasterFunds {
  readonly maxFeePerGas: bigint
  readonly deposits: Readonly<Record<EntryPointVersion, bigint>>
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

export const probeDeposits = Effect.fnUntraced(function* (
  chainId: EvmChainId,
  paymasters: Readonly<Record<EntryPointVersion, Address>>
) {
  const rpc = yield* RpcClients
  return yield* rpc.call(chainId, async (client): Promise<PaymasterFunds> => {
    const depositAt = (entryPoint: Address, paymaster: Address) =>
      client.readContract({
        address: entryPoint,
        abi: entryPointAbi,
        functionName: "balanceOf",
        args: [paymaster]
      })
    const [fees, at07, at08] = await Promise.all([
      suggestedFees(client),
      depositAt(accountContracts.entryPoint07, paymasters["0.7"]),
      depositAt(accountContracts.entryPoint08, paymasters["0.8"])
    ])
    return { maxFeePerGas: fees.maxFeePerGas, deposits: { "0.7": at07, "0.8": at08 } }
  })
})
