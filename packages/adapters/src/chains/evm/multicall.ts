import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { decodeFunctionResult, type Hex, parseAbi, toFunctionSelector } from "viem"
import { HostFailure } from "../../outbound/json-api/index.ts"
import { deploymentOf } from "../deployments/index.ts"
import { multicall3Abi } from "./abi/multicall3.ts"
import { encoderOf } from "./encoderOf.ts"
import * as form from "./rpc/forms.ts"

const multicall3Data = encoderOf(multicall3Abi)

/**
 * Address of ArbSys (OffchainLabs/nitro). It returns Arbitrum's block number, because `block.number` on Arbitrum is
 * that of the parent chain.
 */
export const ARB_SYS = "0x0000000000000000000000000000000000000064"
const arbSysAbi = parseAbi(["function arbBlockNumber() view returns (uint256)"])
const arbSysData = encoderOf(arbSysAbi)

export interface ReadCall {
  readonly target: Hex
  readonly callData: Hex
}

/** The result of a call. A call of an address without code succeeds with empty data. */
export interface CallResponse {
  readonly success: boolean
  readonly returnData: Hex
}

const AGGREGATE3 = toFunctionSelector("aggregate3((address,bool,bytes)[])")
const WORD_BYTES = 32
const TRUE = "1".padStart(64, "0")

const wordOf = (value: number): string => value.toString(16).padStart(64, "0")

/** Returns the length of dynamic bytes, padded to 32-byte words. */
const paddedBytes = (bytes: number): number => Math.ceil(bytes / WORD_BYTES) * WORD_BYTES

/**
 * Encodes one Multicall3 call with all of these calls, each of which may fail. Each quote needs several such calls, and
 * this encoder takes a fifth of the time of viem's.
 */
export const aggregateData = (calls: ReadonlyArray<ReadCall>): Hex => {
  let offsets = ""
  let tuples = ""
  let offset = calls.length * WORD_BYTES
  for (const { callData, target } of calls) {
    const bytes = (callData.length - 2) / 2
    offsets += wordOf(offset)
    offset += 4 * WORD_BYTES + paddedBytes(bytes)
    tuples +=
      target.slice(2).toLowerCase().padStart(64, "0") +
      TRUE +
      wordOf(3 * WORD_BYTES) +
      wordOf(bytes) +
      callData.slice(2).padEnd(2 * paddedBytes(bytes), "0")
  }
  return `${AGGREGATE3}${wordOf(WORD_BYTES)}${wordOf(calls.length)}${offsets}${tuples}`
}

/** A call that sends native tokens, in wei; none if absent. */
export interface ValueCall extends ReadCall {
  readonly value?: bigint
}

/** Like `aggregateData`, for calls that send native tokens. The Multicall3 call must send the sum of their values. */
export const aggregateValueData = (calls: ReadonlyArray<ValueCall>): Hex =>
  multicall3Data("aggregate3Value", [
    calls.map(({ callData, target, value = 0n }) => ({ target, callData, value, allowFailure: true }))
  ])

/** Parses results in Solidity's canonical layout; null for any other layout. */
const parseCanonicalResponses = (data: Hex): ReadonlyArray<CallResponse> | null => {
  const digitsAt = (byte: number, bytes: number): string => data.slice(2 + 2 * byte, 2 + 2 * (byte + bytes))
  const numberAt = (byte: number): number => Number(`0x${digitsAt(byte, WORD_BYTES)}`)
  const count = numberAt(WORD_BYTES)
  const size = (data.length - 2) / 2
  const start = 2 * WORD_BYTES
  if (numberAt(0) !== WORD_BYTES || !(start + count * WORD_BYTES <= size)) return null
  const responses: Array<CallResponse> = []
  let tuple = start + count * WORD_BYTES
  for (let i = 0; i < count; i++) {
    const success = numberAt(tuple)
    const bytes = numberAt(tuple + 2 * WORD_BYTES)
    const end = tuple + 3 * WORD_BYTES + paddedBytes(bytes)
    const isInOrder =
      numberAt(start + i * WORD_BYTES) === tuple - start && numberAt(tuple + WORD_BYTES) === 2 * WORD_BYTES
    if (!isInOrder || success > 1 || !(end <= size)) return null
    responses.push({ success: success === 1, returnData: `0x${digitsAt(tuple + 3 * WORD_BYTES, bytes)}` })
    tuple = end
  }
  return responses
}

/** Parses the results of Multicall3. Throws if the data have another format. */
export const aggregateResponses = (returnData: Hex): ReadonlyArray<CallResponse> =>
  parseCanonicalResponses(returnData) ??
  decodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", data: returnData })

const blockNumberData = multicall3Data("getBlockNumber", [])
const arbBlockNumberData = arbSysData("arbBlockNumber", [])
const timestampData = multicall3Data("getCurrentBlockTimestamp", [])

/** Returns the calls that read the block number in the same Multicall3 call as the other reads. */
export const blockNumberReads = (chainId: EvmChainId, multicall3: Hex): ReadonlyArray<ReadCall> => {
  const contractBlockNumberRead = { target: multicall3, callData: blockNumberData }
  if (deploymentOf(chainId).l1DataFee !== "arbitrum") return [contractBlockNumberRead]
  // On a fork of Arbitrum without ArbSys, `block.number` is the fork's own.
  return [{ target: ARB_SYS, callData: arbBlockNumberData }, contractBlockNumberRead]
}

/** Returns the block number from the first of these calls that returned a result. */
export const blockNumberOf = (responses: ReadonlyArray<CallResponse>): bigint => {
  const number = responses.find(({ returnData, success }) => success && returnData.length === 66)?.returnData
  if (!form.count(number)) throw new HostFailure("it does not return the number of the block that it reads")
  return BigInt(number)
}

/** Results of reads, and the block at which they were made. */
export interface BlockResponses {
  readonly blockNumber: bigint
  /** Block timestamp in Unix seconds. */
  readonly timestamp: number
  readonly responses: ReadonlyArray<CallResponse>
}

/**
 * Builds one call with all of these reads, and the decoder of its result. The result also has the number and the time
 * of its block.
 */
export const readsOfBlock = (
  chainId: EvmChainId,
  calls: ReadonlyArray<ReadCall>
): {
  readonly call: { readonly to: Address; readonly data: Hex }
  readonly decode: (returnData: Hex) => BlockResponses
} => {
  const to = deploymentOf(chainId).multicall3
  const numberReads = blockNumberReads(chainId, to)
  return {
    call: { to, data: aggregateData([...numberReads, { target: to, callData: timestampData }, ...calls]) },
    decode: (returnData) => {
      const allResponses = aggregateResponses(returnData)
      const [time, ...responses] = allResponses.slice(numberReads.length)
      const timestamp = time?.returnData
      if (!form.seconds(timestamp)) throw new HostFailure("it does not return the time of its block")
      return {
        blockNumber: blockNumberOf(allResponses.slice(0, numberReads.length)),
        timestamp: Number(timestamp),
        responses
      }
    }
  }
}
