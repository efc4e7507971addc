import type { EvmChainId } from "@countersign/core/foundation/chains"
import { maxBigInt } from "@countersign/core/foundation/primitives"
import { Context, Layer } from "effect"
import { gasPricesInResponse } from "./bundler/rpcResponses.ts"
import type { SuggestedFees } from "./gasPrice.ts"
import { type RpcOptions, rpcConnections } from "./rpc/rpcConnections.ts"

export type GasPrices = Pick<SuggestedFees, "maxFeePerGas" | "maxPriorityFeePerGas">

/** Returns the minimum gas prices of a chain's bundlers; null if unknown. By default no bundler is queried. */
export const BundlerGasPrices = Context.Reference<(chainId: EvmChainId) => Promise<GasPrices | null>>(
  "@countersign/adapters/evm/BundlerGasPrices",
  { defaultValue: () => () => Promise.resolve(null) }
)

/** Queries bundlers that support `pimlico_getUserOperationGasPrice`. If none responds, the node's prices are used. */
export const layer = (options: RpcOptions): Layer.Layer<never> => {
  const { requestOf } = rpcConnections("BUNDLER", options)
  return Layer.succeed(BundlerGasPrices, async (chainId) => {
    try {
      const request = { method: "pimlico_getUserOperationGasPrice", params: [] }
      return gasPricesInResponse(await requestOf(chainId)(request))
    } catch {
      return null
    }
  })
}

/** Returns the higher of the node's and the bundler's prices. */
export const raiseToFees = (prices: GasPrices | null, fees: GasPrices): GasPrices =>
  prices === null
    ? fees
    : {
        maxFeePerGas: maxBigInt(fees.maxFeePerGas, prices.maxFeePerGas),
        maxPriorityFeePerGas: maxBigInt(fees.maxPriorityFeePerGas, prices.maxPriorityFeePerGas)
      }
