import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { decodeFunctionResult, type Hex, parseAbi } from "viem"
import { deploymentOf } from "../deployments/index.ts"
import { multicall3Abi } from "./abi/multicall3.ts"
import { encoderOf } from "./encoderOf.ts"
import * as form from "./rpc/forms.ts"
import { HostFailure } from "./rpc/host/HostFailure.ts"

const multicall3Data = encoderOf(multicall3Abi)

/** ArbSys (OffchainLabs/nitro): on Arbitrum a contract's `block.number` is the parent chain's. */
export const ARB_SYS = "0x0000000000000000000000000000000000000064"
const arbSysAbi = parseAbi(["function arbBlockNumber() view returns (uint256)"])
const arbSysData = encoderOf(arbSysAbi)

export interface ReadCall {
  readonly target: Hex
  readonly callData: Hex
}

/** The result of a call. A call to an address without code succeeds, and returns nothing. */
export interface CallAnswer {
  readonly success: boolean
  readonly returnData: Hex
}

/** Data of one call to Multicall3 that makes all of these, each of which may fail. */
export const aggregateData = (calls: ReadonlyArray<ReadCall>): Hex =>
  multicall3Data("aggregate3", [calls.map(({ callData, target }) => ({ target, callData, allowFailure: true }))])

/** A call that sends so much of the native token, in wei; nothing where it is left out. */
export interface ValueCall extends ReadCall {
  readonly value?: bigint
}

/** As `aggregateData`, for calls that send the native token. The call to Multicall3 has to send the sum. */
export const aggregateValueData = (calls: ReadonlyArray<ValueCall>): Hex =>
  multicall3Data("aggregate3Value", [
    calls.map(({ callData, target, value = 0n }) => ({ target, callData, value, allowFailure: true }))
  ])

export const aggregateAnswers = (returnData: Hex): ReadonlyArray<CallAnswer> =>
  decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: returnData })

const blockNumberData = multicall3Data("getBlockNumber", [])
const arbBlockNumberData = arbSysData("arbBlockNumber", [])
const timestampData = multicall3Data("getCurrentBlockTimestamp", [])

/** The calls that tell the number of the block that the other reads of the same Multicall3 call are of. */
export const blockNumberReads = (chainId: EvmChainId, multicall3: Hex): ReadonlyArray<ReadCall> => {
  const ofContract = { target: multicall3, callData: blockNumberData }
  if (deploymentOf(chainId).l1DataFee !== "arbitrum") return [ofContract]
  // A copy of Arbitrum that lacks ArbSys numbers its contracts' blocks as its own.
  return [{ target: ARB_SYS, callData: arbBlockNumberData }, ofContract]
}

/** The number, from the answers to these calls: that of the first that is answered. */
export const blockNumberOf = (answers: ReadonlyArray<CallAnswer>): bigint => {
  const number = answers.find(({ returnData, success }) => success && returnData.length === 66)?.returnData
  if (!form.count(number)) throw new HostFailure("it does not return the number of the block that it reads")
  return BigInt(number)
}

/** Answers to reads, and the block that they are of. */
export interface BlockAnswers {
  readonly blockNumber: bigint
  /** Unix seconds. */
  readonly timestamp: number
  readonly answers: ReadonlyArray<CallAnswer>
}

/** One call that reads all of these, with the number and the time of the block that it is made on. */
export const readsOfBlock = (
  chainId: EvmChainId,
  calls: ReadonlyArray<ReadCall>
): {
  readonly call: { readonly to: Address; readonly data: Hex }
  readonly answersIn: (returnData: Hex) => BlockAnswers
} => {
  const to = deploymentOf(chainId).multicall3
  const numberReads = blockNumberReads(chainId, to)
  return {
    call: { to, data: aggregateData([...numberReads, { target: to, callData: timestampData }, ...calls]) },
    answersIn: (returnData) => {
      const all = aggregateAnswers(returnData)
      const [time, ...answers] = all.slice(numberReads.length)
      const timestamp = time?.returnData
      if (!form.seconds(timestamp)) throw new HostFailure("it does not return the time of its block")
      return {
        blockNumber: blockNumberOf(all.slice(0, numberReads.length)),
        timestamp: Number(timestamp),
        answers
      }
    }
  }
}
