import { assert, describe, it } from "@effect/vitest"
import { encodeFunctionData, encodeFunctionResult, type Hex } from "viem"
import { deploymentOf } from "../deployments/index.ts"
import { multicall3Abi } from "./abi/multicall3.ts"
import { ARB_SYS, aggregateData, aggregateResponses, blockNumberOf, blockNumberReads } from "./multicall.ts"

const [ARBITRUM, ETHEREUM] = [42161, 1] as const

const number = (value: bigint) => ({ success: true, returnData: `0x${value.toString(16).padStart(64, "0")}` }) as const
const emptyResult = { success: true, returnData: "0x" } as const

describe("the number of the queried block", () => {
  it("is requested from ArbSys on Arbitrum, and from Multicall3 elsewhere", () => {
    const targetsOn = (chainId: typeof ARBITRUM | typeof ETHEREUM) =>
      blockNumberReads(chainId, deploymentOf(chainId).multicall3).map(({ target }) => target)
    assert.strictEqual(targetsOn(ARBITRUM)[0], ARB_SYS)
    assert.deepStrictEqual(targetsOn(ETHEREUM), [deploymentOf(ETHEREUM).multicall3])
  })

  it("is the number from ArbSys, and `block.number` if there is no ArbSys", () => {
    assert.strictEqual(blockNumberOf([number(300n), number(20n)]), 300n)
    assert.strictEqual(blockNumberOf([emptyResult, number(20n)]), 20n)
    assert.strictEqual(blockNumberOf([{ success: false, returnData: "0x" }, number(20n)]), 20n)
  })

  it("is missing if no call returns it", () => {
    assert.throws(() => blockNumberOf([emptyResult]), "it does not return the number of the block that it reads")
  })
})

const bytesOf = (length: number): Hex => `0x${"a7".repeat(length)}`
const lengths = [0, 1, 4, 31, 32, 33, 36, 64, 1_000]

describe("calls to Multicall3", () => {
  it.each([0, 1, lengths.length])("are encoded as by viem: %i calls", (count) => {
    const calls = lengths.slice(0, count).map((length, i) => ({
      target: `0x${`${i}cD`.repeat(20).slice(0, 40)}` as Hex,
      callData: bytesOf(length)
    }))
    const args = [
      calls.map((call) => ({ ...call, target: call.target.toLowerCase() as Hex, allowFailure: true }))
    ] as const
    assert.strictEqual(
      aggregateData(calls),
      encodeFunctionData({ abi: multicall3Abi, functionName: "aggregate3", args })
    )
  })

  it.each([0, 1, lengths.length])("have results that are encoded as by viem: %i results", (count) => {
    const responses = lengths
      .slice(0, count)
      .map((length, i) => ({ success: i % 2 === 0, returnData: bytesOf(length) }))
    const data = encodeFunctionResult({ abi: multicall3Abi, functionName: "aggregate3", result: responses })
    assert.deepStrictEqual(aggregateResponses(data), responses)
  })

  const word = (value: number) => value.toString(16).padStart(64, "0")

  it("have results that can use another layout", () => {
    // Two results that refer to the same bytes.
    const sharedBytes = `0x${word(32)}${word(2)}${word(64)}${word(64)}${word(1)}${word(64)}${word(1)}${"ff".padEnd(64, "0")}`
    const response = { success: true, returnData: "0xff" } as const
    assert.deepStrictEqual(aggregateResponses(sharedBytes as Hex), [response, response])
  })

  it.each([
    ["nothing", "0x"],
    ["no words", "0x01"],
    ["more answers than data", `0x${word(32)}${word(3)}${word(96)}`],
    ["a part of the count", `0x${word(32)}${word(0).slice(2)}`],
    ["a count above every limit", `0x${word(32)}${"f".repeat(64)}`],
    ["bytes that exceed the data", `0x${word(32)}${word(1)}${word(32)}${word(1)}${word(64)}${word(500)}`],
    ["a success that is not a boolean", `0x${word(32)}${word(1)}${word(32)}${word(2)}${word(64)}${word(0)}`]
  ])("have results that are rejected with %s", (_, data) => {
    assert.throws(() => aggregateResponses(data as Hex))
  })
})
