import { evmChainIds } from "@countersign/core/foundation/chains"
import { assert, describe, it } from "@effect/vitest"
import { encodeAbiParameters, encodePacked, getAddress, getContractAddress, isAddress, keccak256 } from "viem"
import { accountContracts, type ConstantProductDeployment, deploymentOf, deployments } from "./index.ts"

const addressesIn = (value: unknown): ReadonlyArray<string> =>
  typeof value === "string"
    ? /^0x[\da-fA-F]{40}$/u.test(value)
      ? [value]
      : []
    : typeof value === "object" && value !== null
      ? Object.values(value).flatMap(addressesIn)
      : []

const poolAddress = (
  chainId: (typeof deployments)[number]["chainId"],
  tokenA: string,
  tokenB: string,
  feePips: number
) => {
  const { factory, poolInitCodeHash } = deploymentOf(chainId).uniswapV3
  const [token0, token1] = [tokenA.toLowerCase(), tokenB.toLowerCase()].sort() as [`0x${string}`, `0x${string}`]
  const salt = keccak256(
    encodeAbiParameters([{ type: "address" }, { type: "address" }, { type: "uint24" }], [token0, token1, feePips])
  )
  return getContractAddress({
    opcode: "CREATE2",
    from: getAddress(factory),
    salt,
    bytecodeHash: poolInitCodeHash
  })
}

const symbolOn = (chainId: (typeof deployments)[number]["chainId"], symbol: string) =>
  deploymentOf(chainId).tokens.find((token) => token.symbol === symbol)?.address ?? "missing"

const pairAddress = ({ factory, initCodeHash }: ConstantProductDeployment, tokenA: string, tokenB: string) => {
  const [token0, token1] = [tokenA.toLowerCase(), tokenB.toLowerCase()].sort() as [`0x${string}`, `0x${string}`]
  return getContractAddress({
    opcode: "CREATE2",
    from: getAddress(factory),
    salt: keccak256(encodePacked(["address", "address"], [token0, token1])),
    bytecodeHash: initCodeHash
  })
}

describe("deployments", () => {
  it("cover the nine EVM chains, each once", () => {
    assert.sameMembers(
      deployments.map((d) => d.chainId),
      [...evmChainIds]
    )
  })

  it("include the chains that charge for calldata on their parent chain", () => {
    const charging = (kind: string) => deployments.filter((d) => d.l1DataFee === kind).map((d) => d.chainId)
    assert.sameMembers(charging("op-stack"), [10, 8453])
    assert.deepStrictEqual(charging("arbitrum"), [42161])
  })

  it("have only lower-case addresses of twenty bytes", () => {
    const addresses = addressesIn([deployments, accountContracts])
    assert.isAbove(addresses.length, 200)
    for (const address of addresses) {
      assert.strictEqual(address, address.toLowerCase())
      assert.isTrue(isAddress(getAddress(address)))
    }
  })

  it("list the wrapped native token and USDC on every chain, and no token twice", () => {
    for (const { chainId, tokens, wrappedNative, nativeCurrency } of deployments) {
      assert.include(tokens, wrappedNative)
      assert.strictEqual(wrappedNative.decimals, nativeCurrency.decimals)
      assert.include(wrappedNative.tags, "wrapped-native")
      assert.isTrue(
        tokens.some((token) => token.symbol === "USDC" && token.tags.includes("stablecoin")),
        `${chainId}`
      )
      assert.strictEqual(new Set(tokens.map((token) => token.address)).size, tokens.length)
    }
  })

  // Existing pools: the best-known pool on Etherscan, the default pool of Oku on Gnosis, and WOKB/USDC.e from the X
  // Layer subgraph.
  it.each([
    [1, "USDC", "WETH", 500, "0x88e6A0c2dDD26FEEb64F039a2c41296FcB3f5640"],
    [100, "WETH", "WXDAI", 500, "0x4A562E482e9e6b140b322CA50Cc4D8535Cdf85c9"],
    [196, "WOKB", "USDC.e", 100, "0x3c2a3E37A6A905b3308861222a92fF2bE2d6DA62"],
    [196, "WOKB", "USDC.e", 500, "0x92Ae4136f5F141F9d20eAa0c3533f48c21Fa8580"],
    [196, "WOKB", "USDC.e", 3000, "0x1bE3a8c2ecDba107d73A6C5f129dcf2aE0bfCD7D"],
    [196, "WOKB", "USDC.e", 10000, "0xE7b003635904f3B36f9Bc2B6134B6f07d7Df6E19"]
  ] as const)("derive the pool on chain %i of %s and %s at fee %i", (chainId, symbolA, symbolB, feePips, pool) => {
    assert.strictEqual(poolAddress(chainId, symbolOn(chainId, symbolA), symbolOn(chainId, symbolB), feePips), pool)
  })

  // Existing pairs: the best-known pair on Etherscan, and pairs from QuickSwap's README and the documentation of other
  // exchanges.
  it.each([
    [1, "Uniswap V2", "USDC", "WETH", "0xB4e16d0168e52d35CaCD2c6185b44281Ec28C9Dc"],
    [56, "PancakeSwap V2", "WBNB", "USDT", "0x16b9a82891338f9bA80E2D6970FddA79D1eb0daE"]
  ] as const)("derive the pair on chain %i of %s of %s and %s", (chainId, name, symbolA, symbolB, pair) => {
    const exchange = deploymentOf(chainId).constantProduct.find((each) => each.name === name)!
    assert.strictEqual(pairAddress(exchange, symbolOn(chainId, symbolA), symbolOn(chainId, symbolB)), pair)
  })

  it("have Uniswap's own pairs first on chains with a Universal Router", () => {
    for (const { chainId, constantProduct, uniswapV4, universalRouter } of deployments) {
      assert.strictEqual(uniswapV4 === undefined, chainId === 100)
      assert.strictEqual(universalRouter === undefined, chainId === 100)
      if (universalRouter !== undefined) assert.strictEqual(constantProduct[0]?.name, "Uniswap V2")
    }
  })
})
