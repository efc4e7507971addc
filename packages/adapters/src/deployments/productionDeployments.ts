import type { EvmChainId } from "@countersign/core/chains"
import { EvmChainId as EvmChainIdSchema } from "@countersign/core/chains"
import { Address, Hash32 } from "@countersign/core/primitives"
import { Schema } from "effect"
import type { ChainDeployment, ListedToken } from "./ChainDeployment.ts"
import chainRows from "./chains.json" with { type: "json" }
import tokenRows from "./tokens.json" with { type: "json" }

// Sources: viem 2.57.1 and lifinance/contracts (chains), Uniswap/contracts, Uniswap/docs, @uniswap/sdk-core and the Oku
// configuration for Gnosis (Uniswap V3), Uniswap, Aave, CoW and CoinGecko token lists (tokens). Tokens whose decimals the
// lists disagree on are left out.

const ListedTokens = Schema.Array(
  Schema.Struct({
    chainId: EvmChainIdSchema,
    address: Address,
    symbol: Schema.String,
    name: Schema.String,
    decimals: Schema.Int,
    tags: Schema.Array(Schema.String),
    logoUrl: Schema.optionalKey(Schema.String),
    coingeckoId: Schema.optionalKey(Schema.String)
  })
)

const ChainRows = Schema.Array(
  Schema.Struct({
    chainId: EvmChainIdSchema,
    multicall3: Address,
    permit2: Address,
    nativeCurrency: Schema.Struct({
      name: Schema.String,
      symbol: Schema.String,
      decimals: Schema.Int,
      coingeckoId: Schema.optionalKey(Schema.String)
    }),
    wrappedNative: Address,
    uniswapV3: Schema.Struct({
      factory: Address,
      nonfungiblePositionManager: Address,
      swapRouter02: Address,
      quoterV2: Address,
      tickLens: Address,
      poolInitCodeHash: Hash32,
      feeTiers: Schema.Array(Schema.Tuple([Schema.Int, Schema.Int]))
    }),
    eip7702: Schema.Boolean,
    explorer: Schema.Struct({ name: Schema.String, url: Schema.String }),
    defaultRpcUrls: Schema.Array(Schema.String),
    blockTimeMs: Schema.Int
  })
)

const listedTokens: ReadonlyArray<ListedToken> = Schema.decodeUnknownSync(ListedTokens)(tokenRows)

export const deployments: ReadonlyArray<ChainDeployment> = Schema.decodeUnknownSync(ChainRows)(chainRows).map((row) => {
  const tokens = listedTokens.filter((token) => token.chainId === row.chainId)
  return { ...row, tokens, wrappedNative: tokens.find((token) => token.address === row.wrappedNative)! }
})

const deploymentByChain = new Map(deployments.map((deployment) => [deployment.chainId, deployment]))

export const deploymentOf = (chainId: EvmChainId): ChainDeployment => deploymentByChain.get(chainId)!

const tokenByPlace = new Map(listedTokens.map((token) => [`${token.chainId}:${token.address}`, token]))

export const listedTokenOrNone = (chainId: EvmChainId, address: Address): ListedToken | undefined =>
  tokenByPlace.get(`${chainId}:${address}`)
