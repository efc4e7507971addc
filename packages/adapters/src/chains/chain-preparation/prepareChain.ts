import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { Effect, type Redacted, Result } from "effect"
import { type Hex, parseTransaction, recoverTransactionAddress } from "viem"
import { addressFromHex, RpcClients, suggestedFees } from "../evm/index.ts"
import {
  observeNativeBalance,
  sendRawTransaction,
  sendStep,
  waitForPendingTransactions
} from "../paymaster-contracts/index.ts"
import { type Preparation, preparationsOf } from "./preparations.ts"

/** A deployed contract. */
export interface PreparedContract {
  readonly address: Address
  readonly transactionHash: Hash32
}

/** A contract that anyone can deploy, but whose deployment failed. */
export interface FailedContract {
  readonly address: Address
  readonly reason: string
}

const sendSigned = Effect.fnUntraced(function* (
  chainId: EvmChainId,
  key: Redacted.Redacted<HexBytes>,
  transaction: Hex
) {
  const { gas = 0n, gasPrice = 0n } = parseTransaction(transaction)
  const rpc = yield* RpcClients
  const { baseFeePerGas } = yield* rpc.call(chainId, suggestedFees)
  if (gasPrice < baseFeePerGas) {
    const reason = `The gas price of the signed transaction is ${gasPrice} wei, which is below the chain's base fee of ${baseFeePerGas} wei.`
    return Result.fail(reason)
  }
  const serializedTransaction = transaction as `0x02${string}`
  const signer = addressFromHex(yield* Effect.promise(() => recoverTransactionAddress({ serializedTransaction })))
  const missingWei = gas * gasPrice - (yield* observeNativeBalance(chainId, signer))
  if (missingWei > 0n) yield* sendStep(chainId, key, { to: signer, data: "0x", value: missingWei })
  const broadcastResult = yield* Effect.result(sendRawTransaction(chainId, transaction))
  return Result.mapError(broadcastResult, ({ message }) => message)
})

const deployContract = (chainId: EvmChainId, key: Redacted.Redacted<HexBytes>, preparation: Preparation) =>
  preparation._tag === "Deployed"
    ? Effect.map(sendStep(chainId, key, { to: preparation.factory, data: preparation.data, value: 0n }), Result.succeed)
    : sendSigned(chainId, key, preparation.transaction)

const hasCode = Effect.fnUntraced(function* (chainId: EvmChainId, address: Address) {
  const rpc = yield* RpcClients
  const code: Hex | undefined = yield* rpc.call(chainId, (client) => client.getCode({ address }))
  return code !== undefined && code !== "0x"
})

/**
 * Deploys the missing contracts that anyone can deploy, one after another. The account of the key pays the gas.
 * Idempotent: each run deploys only contracts that are still missing.
 */
export const prepareChain = Effect.fn("prepareChain")(function* (
  chainId: EvmChainId,
  key: Redacted.Redacted<HexBytes>
) {
  yield* waitForPendingTransactions(chainId, key)
  const preparedContracts: Array<PreparedContract> = []
  const failedContracts: Array<FailedContract> = []
  for (const preparation of preparationsOf(chainId)) {
    const { address } = preparation
    if (yield* hasCode(chainId, address)) continue
    if (preparation._tag === "Deployed" && failedContracts.some((each) => each.address === preparation.factory)) {
      failedContracts.push({
        address,
        reason: `the contract that deploys it, ${preparation.factory}, could not be deployed`
      })
      continue
    }
    const result = yield* deployContract(chainId, key, preparation)
    if (Result.isSuccess(result)) preparedContracts.push({ address, transactionHash: result.success })
    else failedContracts.push({ address, reason: result.failure })
  }
  return { preparedContracts, failedContracts }
})
