import type { EvmChainId } from "@countersign/core/chains"
import { encodeFunctionData, type Hex, parseAbi } from "viem"
import { deploymentOf } from "../deployments/index.ts"
import { multicall3Abi } from "./abi/multicall3.ts"

/** ArbSys (OffchainLabs/nitro): on Arbitrum a contract's `block.number` is the parent chain's. */
const ARB_SYS = "0x0000000000000000000000000000000000000064"
const arbSysAbi = parseAbi(["function arbBlockNumber() view returns (uint256)"])

/** The call that tells the number of the block that the other reads of the same Multicall3 call are of. */
export const blockNumberRead = (
  chainId: EvmChainId,
  multicall3: Hex
): { readonly target: Hex; readonly callData: Hex } =>
  deploymentOf(chainId).l1DataFee === "arbitrum"
    ? { target: ARB_SYS, callData: encodeFunctionData({ abi: arbSysAbi, functionName: "arbBlockNumber" }) }
    : {
        target: multicall3,
        callData: encodeFunctionData({ abi: multicall3Abi, functionName: "getBlockNumber" })
      }
