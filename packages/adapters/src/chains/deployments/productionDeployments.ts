import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Schema } from "effect"
import { type ChainDeployment, ChainRow, ListedToken } from "./ChainDeployment.ts"
import chainRows from "./chains.json" with { type: "json" }
import tokenRows from "./tokens.json" with { type: "json" }

// Sources: viem 2.57.1 and lifinance/contracts (chains), Uniswap/contracts, Uniswap/docs, @uniswap/sdk-core and the Oku
// configuration for Gnosis (Uniswap V3), @uniswap/sdk-core 7.19.4 and @uniswap/universal-router-sdk 5.13.0 (V2, V4,
// router), the SDKs and public repositories of the forks (@pancakeswap/v2-sdk, pancake-v3-contracts, quickswap-core,
// @traderjoe-xyz/core and sdk, @pangolindex/sdk, sushi), Uniswap, Aave, CoW and CoinGecko token lists (tokens),
// KyberNetwork/kyberswap-skills (KyberSwap's router), developers.velora.xyz (Velora's), lifinance/contracts@ef00558
// (LI.FI). Tokens whose decimals the lists disagree on are omitted.

const listedTokens = Schema.decodeUnknownSync(Schema.Array(ListedToken))(tokenRows)
const rows = Schema.decodeUnknownSync(Schema.Array(ChainRow))(chainRows)

export const deployments: ReadonlyArray<ChainDeployment> = rows.map((row) => {
  const tokens = listedTokens.filter((token) => token.chainId === row.chainId)
  return { ...row, tokens, wrappedNative: tokens.find((token) => token.address === row.wrappedNative)! }
})

const deploymentByChain = new Map(deployments.map((deployment) => [deployment.chainId, deployment]))

export const deploymentOf = (chainId: EvmChainId): ChainDeployment => deploymentByChain.get(chainId)!
