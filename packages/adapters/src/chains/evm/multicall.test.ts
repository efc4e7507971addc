import { assert, describe, it } from "@effect/vitest"
import { deploymentOf } from "../deployments/index.ts"
import { ARB_SYS, blockNumberOf, blockNumberReads } from "./multicall.ts"

const [ARBITRUM, ETHEREUM] = [42161, 1] as const

const number = (value: bigint) => ({ success: true, returnData: `0x${value.toString(16).padStart(64, "0")}` }) as const
const nothing = { success: true, returnData: "0x" } as const

describe("the number of the block that is read", () => {
  it("is asked of ArbSys on Arbitrum, and of Multicall3 elsewhere", () => {
    const targetsOn = (chainId: typeof ARBITRUM | typeof ETHEREUM) =>
      blockNumberReads(chainId, deploymentOf(chainId).multicall3).map(({ target }) => target)
    assert.strictEqual(targetsOn(ARBITRUM)[0], ARB_SYS)
    assert.deepStrictEqual(targetsOn(ETHEREUM), [deploymentOf(ETHEREUM).multicall3])
  })

  it("is that of ArbSys, and the contract's own where there is none", () => {
    assert.strictEqual(blockNumberOf([number(300n), number(20n)]), 300n)
    assert.strictEqual(blockNumberOf([nothing, number(20n)]), 20n)
    assert.strictEqual(blockNumberOf([{ success: false, returnData: "0x" }, number(20n)]), 20n)
  })

  it("is not made up where nobody tells it", () => {
    assert.throws(() => blockNumberOf([nothing]), "it does not return the number of the block that it reads")
  })
})
