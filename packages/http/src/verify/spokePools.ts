import type { Bytes } from "./bytes.ts"
import { chains, NATIVE } from "./contracts.ts"

/**
 * Across's SpokePool on a chain, with the tokens that it bridges. Sources: @across-protocol/contracts and
 * @across-protocol/constants.
 */
export interface SpokePool {
  readonly pool: Bytes
  /** Across's MulticallHandler on the chain, which executes the calls in the message of a fill. */
  readonly handler: Bytes
  readonly tokens: Readonly<Record<string, Bytes>>
}

export const spokePools: Readonly<Record<number, SpokePool>> = {
  1: {
    pool: "0x5c7bcd6e7de5423a257d81b442095a1a6ced35c5",
    handler: "0x0f7ae28de1c8532170ad4ee566b5801485c13a0e",
    tokens: {
      USDC: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
      USDT: "0xdac17f958d2ee523a2206206994597c13d831ec7",
      DAI: "0x6b175474e89094c44da98b954eedeac495271d0f",
      WETH: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
    }
  },
  10: {
    pool: "0x6f26bf09b1c792e3228e5467807a900a503c0281",
    handler: "0x0f7ae28de1c8532170ad4ee566b5801485c13a0e",
    tokens: {
      USDC: "0x0b2c639c533813f4aa9d7837caf62653d097ff85",
      USDT: "0x94b008aa00579c1307b0ef2c499ad98a8ce58e58",
      DAI: "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1",
      WETH: "0x4200000000000000000000000000000000000006"
    }
  },
  56: {
    pool: "0x4e8e101924ede233c13e2d8622dc8aed2872d505",
    handler: "0x0f7ae28de1c8532170ad4ee566b5801485c13a0e",
    tokens: {
      USDC: "0x8ac76a51cc950d9822d68b83fe1ad97b32cd580d",
      USDT: "0x55d398326f99059ff775485246999027b3197955",
      WETH: "0x2170ed0880ac9a755fd29b2688956bd959f933f8"
    }
  },
  137: {
    pool: "0x9295ee1d8c5b022be115a2ad3c30c72e34e7f096",
    handler: "0x0f7ae28de1c8532170ad4ee566b5801485c13a0e",
    tokens: {
      USDC: "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359",
      USDT: "0xc2132d05d31c914a87c6611c10748aeb04b58e8f",
      DAI: "0x8f3cf7ad23cd3cadbd9735aff958023239c6a063",
      WETH: "0x7ceb23fd6bc0add59e62ac25578270cff1b9f619"
    }
  },
  8453: {
    pool: "0x09aea4b2242abc8bb4bb78d537a67a245a7bec64",
    handler: "0x0f7ae28de1c8532170ad4ee566b5801485c13a0e",
    tokens: {
      USDC: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
      USDT: "0xfde4c96c8593536e31f229ea8f37b2ada2699bb2",
      DAI: "0x50c5725949a6f0c72e6c4a641f24049a917db0cb",
      WETH: "0x4200000000000000000000000000000000000006"
    }
  },
  42161: {
    pool: "0xe35e9842fceaca96570b734083f4a58e8f7c5f2a",
    handler: "0x0f7ae28de1c8532170ad4ee566b5801485c13a0e",
    tokens: {
      USDC: "0xaf88d065e77c8cc2239327c5edb3a432268e5831",
      USDT: "0xfd086bc7cd5c481dcc9c85ebe478a1c0b69fcbb9",
      DAI: "0xda10009cbd5d07dd0cecc66161fc93d7c9000da1",
      WETH: "0x82af49447d8a07e3bd95bd0d56f35241523fbab1"
    }
  },
  43114: {
    pool: "0xfe9d541c92e4e90437c7152a00244886de37a658",
    handler: "0x9610954acdca5ff7905f051a040ce33fe613c60e",
    tokens: {
      USDC: "0xb97ef9ef8734c71904d8002f8b6bc66dd9c48a6e",
      USDT: "0x9702230a8ea53601f5cd2dc00fdbc13d4df4a8c7"
    }
  }
}

/** Returns the ledger key of a token on another chain: its address followed by the chain id. */
export const tokenKeyOn = (chainId: number, token: Bytes): Bytes =>
  `0x${token.slice(2)}${chainId.toString(16).padStart(16, "0")}`

/**
 * Returns the token that a fill without a message delivers. If it is the wrapped native token, Across delivers the
 * native or the wrapped token, depending on the receiver's code. That code is unknown here, so the requested form is
 * assumed.
 */
export const filledToken = (chainId: number, token: Bytes, isNativeRequested: boolean): Bytes =>
  tokenKeyOn(chainId, isNativeRequested && token === chains[chainId]?.wrapped ? NATIVE : token)

/** Returns the decimals of an asset. USDC and USDT have 18 decimals on BNB Chain. */
const decimalsOf = (chainId: number, asset: string): number =>
  (asset === "USDC" || asset === "USDT") && chainId !== 56 ? 6 : 18

/**
 * Returns the equal amount of the same asset on another chain, rounded down. Null if the input is unknown or the output
 * is a different asset, because relayers do not swap.
 */
export const parityOf = (
  spokePool: SpokePool,
  chainIdOut: number,
  { input, output }: { readonly input: Bytes; readonly output: Bytes },
  amount: bigint
): bigint | null => {
  const chainId = Number(Object.keys(spokePools).find((id) => spokePools[Number(id)]!.pool === spokePool.pool))
  const asset = Object.keys(spokePool.tokens).find((name) => spokePool.tokens[name] === input)
  if (asset === undefined || spokePools[chainIdOut]?.tokens[asset] !== output) return null
  return (amount * 10n ** BigInt(decimalsOf(chainIdOut, asset))) / 10n ** BigInt(decimalsOf(chainId, asset))
}
