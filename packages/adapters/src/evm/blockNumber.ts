import type { EvmChainId } from "@countersign/core/chains"
import { encodeFunctionData, type Hex, hexToBigInt, parseAbi } from "viem"
import { deploymentOf } from "../deployments/index.ts"
import { multicall3Abi } from "./abi/multicall3.ts"
import { HostFailure } from "./rpc/host/HostFailure.ts"

/** ArbSys (OffchainLabs/nitro): on Arbitrum a contract's `block.number` is the parent chain's. */
export const ARB_SYS = "0x0000000000000000000000000000000000000064"
const arbSysAbi = parseAbi(["function arbBlockNumber() view returns (uint256)"])

interface Answer {
  readonly success: boolean
  readonly returnData: Hex
}

/** The calls that tell the number of the block that the other reads of the same Multicall3 call are of. */
export const blockNumberReads = (
  chainId: EvmChainId,
  multicall3: Hex
): ReadonlyArray<{ readonly target: Hex; readonly callData: Hex }> => {
  const ofContract = {
    target: multicall3,
    callData: encodeFunctionData({ abi: multicall3Abi, functionName: "getBlockNumber" })
  }
  if (deploymentOf(chainId).l1DataFee !== "arbitrum") return [ofContract]
  // A copy of Arbitrum that lacks ArbSys numbers its contracts' blocks as its own.
  return [
    { target: ARB_SYS, callData: encodeFunctionData({ abi: arbSysAbi, functionName: "arbBlockNumber" }) },
    ofContract
  ]
}

/** The number, from the answers to these calls: that of the first that is answered. */
export const blockNumberOf = (answers: ReadonlyArray<Answer>): bigint => {
  const answer = answers.find(({ returnData, success }) => success && returnData.length === 66)
  if (answer === undefined) throw new HostFailure("it does not tell the number of the block that it reads")
  return hexToBigInt(answer.returnData)
}
