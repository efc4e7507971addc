import { deploymentOf } from "@countersign/adapters/chains/deployments"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { encodeFunctionData, parseAbi } from "viem"
import { waitUntil } from "../../core/test/support/until.ts"
import { registerOneOfEachKind, swapOf, type TestWallet, USDC } from "./support/accounts.ts"
import { askChain } from "./support/askChain.ts"
import { startTestService, type TestService } from "./support/testService.ts"

/** Tests pools that exist but that swaps do not use. The response lists them among the candidates. */

let service: TestService
let wallet: TestWallet

beforeAll(async () => {
  service = await startTestService()
  wallet = (await registerOneOfEachKind(service))[1]!
})
afterAll(() => service.stop())

const abi = parseAbi([
  "struct PoolKey { address currency0; address currency1; uint24 fee; int24 tickSpacing; address hooks; }",
  "function initialize(PoolKey key, uint160 sqrtPriceX96) returns (int24 tick)"
])

/**
 * The last bits of this address declare a hook that runs before each swap. A pool can be initialized although the
 * address has no contract.
 */
const HOOK_ADDRESS = "0x0000000000000000000000000000000000000080"

const readSkippedPools = async () => {
  const { body } = await service.request("POST", "/api/v1/crypto/swap", swapOf(wallet))
  const [{ candidates }] = body.quotes
  return candidates[0].leftOut
}

describe("a pool with a hook", () => {
  it("is skipped, and the candidates name it", async () => {
    const poolKey = {
      currency0: USDC,
      currency1: deploymentOf(1).wrappedNative.address,
      fee: 500,
      tickSpacing: 10,
      hooks: HOOK_ADDRESS
    } as const
    const data = encodeFunctionData({ abi, functionName: "initialize", args: [poolKey, 1n << 96n] })
    const from = service.chains.keys.treasury.address
    const to = deploymentOf(1).uniswapV4!.poolManager
    await askChain(service.chains.rpcUrl(1), "eth_sendTransactionSync", { from, to, data, gas: "0xf4240" })

    // The search for hooks runs concurrently with the first quote, and may end later.
    const listedSkippedPools = await waitUntil(readSkippedPools, ({ length }) => length > 0)
    assert.lengthOf(listedSkippedPools, 1)
    assert.match(listedSkippedPools[0].poolId, /^0x[0-9a-f]{64}$/u)
    assert.deepStrictEqual(
      [listedSkippedPools[0].venue, listedSkippedPools[0].reason],
      ["Uniswap V4", `it has a hook (${HOOK_ADDRESS})`]
    )
  })
})
