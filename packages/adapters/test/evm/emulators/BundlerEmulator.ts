import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Bundler, type OperationRejected, type UserOperation } from "@countersign/core/operations/user-operations"
import { Context, Effect, Layer, Option } from "effect"
import { type Hex, numberToHex } from "viem"
import { accountContracts } from "../../../src/chains/deployments/index.ts"
import { BundlerErrorCode } from "../../../src/chains/evm/bundler/bundlerErrors.ts"
import { suggestedFees } from "../../../src/chains/evm/gasPrice.ts"
import { hash32FromHex } from "../../../src/chains/evm/hex.ts"
import { RpcClients } from "../../../src/chains/evm/RpcClients.ts"
import { userOperationHash } from "../../../src/chains/evm/user-operation/userOperationHash.ts"
import { type UserOperationJson, userOperationJson } from "../../../src/chains/evm/user-operation/userOperationJson.ts"
import { type JsonRpcServer, RpcFault, serveJsonRpc } from "./JsonRpcServer.ts"
import { userOperationFromJson } from "./userOperationFromJson.ts"

/**
 * Returns ERC-7769's error code for an error of the EntryPoint: AA3x are errors of the paymaster, and AA22 and AA32 are
 * errors of the validity period.
 */
const errorCodeOf = (reason: string): number => {
  if (/\bAA[23]2\b/u.test(reason)) return BundlerErrorCode.outOfTimeRange
  if (/\bAA24\b/u.test(reason)) return BundlerErrorCode.invalidSignature
  if (/\bAA3\d\b/u.test(reason)) return BundlerErrorCode.rejectedByPaymaster
  return /\bAA\d\d\b/u.test(reason) ? BundlerErrorCode.rejectedByEntryPoint : BundlerErrorCode.executionReverted
}

/** Emulates a remote bundler over HTTP (ERC-7769). The built-in bundler executes the requests. */
export class BundlerEmulator extends Context.Service<BundlerEmulator, JsonRpcServer>()(
  "@countersign/adapters/evm/emulators/BundlerEmulator"
) {
  /** Serves one chain. */
  static layer(chainId: EvmChainId): Layer.Layer<BundlerEmulator, never, Bundler | RpcClients> {
    return Layer.effect(
      BundlerEmulator,
      Effect.gen(function* () {
        const bundler = yield* Bundler
        const rpc = yield* RpcClients
        const runPromise = Effect.runPromiseWith(yield* Effect.context())
        const operations = new Map<string, UserOperation>()

        const decodeOperation = ([json, entryPoint]: ReadonlyArray<unknown>) =>
          userOperationFromJson(chainId, json as UserOperationJson, entryPoint as Hex)

        return yield* serveJsonRpc({
          eth_chainId: async () => numberToHex(chainId),
          eth_supportedEntryPoints: async () => [accountContracts.entryPoint07, accountContracts.entryPoint08],
          pimlico_getUserOperationGasPrice: async () => {
            const fees = await suggestedFees(rpc.client(chainId))
            const prices = {
              maxFeePerGas: numberToHex(fees.maxFeePerGas),
              maxPriorityFeePerGas: numberToHex(fees.maxPriorityFeePerGas)
            }
            return { slow: prices, standard: prices, fast: prices }
          },
          eth_estimateUserOperationGas: async (params) => {
            const { operation, signature } = decodeOperation(params)
            const operationWithoutLimits = { ...operation, callGasLimit: 0n, verificationGasLimit: 0n }
            const { limits, revert } = await runPromise(bundler.simulate(operationWithoutLimits, signature, "STUB"))
            if (revert !== null) throw new RpcFault(errorCodeOf(revert.decoded), revert.decoded, revert.raw)
            return {
              preVerificationGas: numberToHex(limits.preVerificationGas),
              verificationGasLimit: numberToHex(limits.verificationGasLimit),
              callGasLimit: numberToHex(limits.callGasLimit),
              paymasterVerificationGasLimit: numberToHex(limits.paymasterVerificationGasLimit),
              paymasterPostOpGasLimit: numberToHex(limits.paymasterPostOpGasLimit)
            }
          },
          eth_sendUserOperation: async (params) => {
            const { operation, signature, authorizationSignature } = decodeOperation(params)
            const hash = userOperationHash(operation)
            // Bundlers reject an operation that is already in their mempool.
            if (operations.has(hash)) throw new RpcFault(BundlerErrorCode.invalidFields, "already known")
            const rejection = await runPromise(
              bundler.submit(operation, signature, authorizationSignature).pipe(
                Effect.as(null),
                Effect.catchTag("OPERATION_REJECTED", (error: OperationRejected) => Effect.succeed(error.reason))
              )
            )
            if (rejection !== null) throw new RpcFault(errorCodeOf(rejection), rejection)
            operations.set(hash, operation)
            return hash
          },
          eth_getUserOperationByHash: async ([hash]) => {
            const operation = operations.get(String(hash))
            return operation === undefined
              ? null
              : {
                  userOperation: userOperationJson(operation, operation.callData, null),
                  entryPoint: operation.entryPoint
                }
          },
          eth_getUserOperationReceipt: async ([hash]) => {
            const operation = operations.get(String(hash))
            if (operation === undefined) return null
            const outcome = await runPromise(bundler.findOutcome(operation, hash32FromHex(String(hash)), 0n))
            if (Option.isNone(outcome)) return null
            const { transactionHash, success, actualGasCost } = outcome.value
            const receipt = await rpc.client(chainId).request({
              method: "eth_getTransactionReceipt",
              params: [transactionHash]
            })
            return {
              userOpHash: hash,
              entryPoint: operation.entryPoint,
              sender: operation.sender,
              nonce: numberToHex(operation.nonce),
              actualGasCost: numberToHex(actualGasCost),
              success,
              receipt,
              logs: receipt?.logs ?? []
            }
          }
        })
      })
    )
  }
}
