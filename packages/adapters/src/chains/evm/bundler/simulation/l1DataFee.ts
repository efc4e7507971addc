import type { EvmChainId } from "@countersign/core/foundation/chains"
import {
  decodeFunctionResult,
  encodeFunctionData,
  type Hex,
  type PublicClient,
  parseAbi,
  size,
  zeroAddress
} from "viem"
import { deploymentOf } from "../../../deployments/index.ts"
import { suggestedFees } from "../../gasPrice.ts"

/** GasPriceOracle of OP Stack chains (ethereum-optimism/optimism, predeploy). */
const GAS_PRICE_ORACLE = "0x420000000000000000000000000000000000000f"
const gasPriceOracleAbi = parseAbi(["function getL1FeeUpperBound(uint256 unsignedTxSize) view returns (uint256)"])

/** NodeInterface of Arbitrum chains (OffchainLabs/nitro), which the node itself implements. */
const NODE_INTERFACE = "0x00000000000000000000000000000000000000c8"
const nodeInterfaceAbi = parseAbi([
  "function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)"
])

/** Size of a transaction without its calldata, in bytes: fees, nonce, signature. */
const ENVELOPE_BYTES = 200

/**
 * Returns the gas that a rollup charges the bundler for posting the calldata to its parent chain, in the rollup's own
 * gas. Zero for a chain without a parent, and if the call to the contract fails, as on a fork of a rollup without it.
 */
export const l1DataGas = async (client: PublicClient, chainId: EvmChainId, data: () => Hex): Promise<bigint> => {
  switch (deploymentOf(chainId).l1DataFee) {
    case "op-stack":
      return opStackDataGas(client, data())
    case "arbitrum":
      return arbitrumDataGas(client, data())
    default:
      return 0n
  }
}

const callOrEmpty = (client: PublicClient, to: Hex, data: Hex): Promise<Hex> =>
  client.request({ method: "eth_call", params: [{ to, data }, "latest"] }).catch((): Hex => "0x")

const opStackDataGas = async (client: PublicClient, data: Hex): Promise<bigint> => {
  const call = encodeFunctionData({
    abi: gasPriceOracleAbi,
    functionName: "getL1FeeUpperBound",
    args: [BigInt(size(data) + ENVELOPE_BYTES)]
  })
  const [result, fees] = await Promise.all([callOrEmpty(client, GAS_PRICE_ORACLE, call), suggestedFees(client)])
  if (size(result) !== 32) return 0n
  const feeWei = decodeFunctionResult({ abi: gasPriceOracleAbi, functionName: "getL1FeeUpperBound", data: result })
  const price = fees.baseFeePerGas + fees.maxPriorityFeePerGas
  return price === 0n ? 0n : (feeWei + price - 1n) / price
}

const arbitrumDataGas = async (client: PublicClient, data: Hex): Promise<bigint> => {
  const call = encodeFunctionData({
    abi: nodeInterfaceAbi,
    functionName: "gasEstimateL1Component",
    args: [zeroAddress, false, data]
  })
  const result = await callOrEmpty(client, NODE_INTERFACE, call)
  if (size(result) !== 96) return 0n
  const [gas] = decodeFunctionResult({ abi: nodeInterfaceAbi, functionName: "gasEstimateL1Component", data: result })
  return gas
}
