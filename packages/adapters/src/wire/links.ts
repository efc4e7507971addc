import { type ChainId, chainOf, type EvmChainId, isEvmChainId } from "@countersign/core/chains"
import type { Token } from "@countersign/core/tokens"
import { Context } from "effect"
import { type ChainDeployment, deploymentOf } from "../deployments/index.ts"

/** The URL under which the client reaches this service. Logos are served by the service itself. */
export type BaseUrl = string

export const chainBody = (base: BaseUrl, id: ChainId) => ({
  id,
  name: chainOf(id).name,
  logo: `${base}/logos/chains/${id}.svg`
})

export const chainBodyOrNull = (base: BaseUrl, id: ChainId | null) => (id === null ? null : chainBody(base, id))

export const tokenBody = (base: BaseUrl, token: Token) => ({
  name: token.name,
  symbol: token.symbol,
  decimals: token.decimals,
  address: token.address,
  logoURL: `${base}/logos/tokens/${token.chainId}/${token.address}.svg`,
  chainId: token.chainId
})

/** The block explorer of a chain; its URL is followed by `/tx/<hash>`. */
export type ExplorerOf = (chainId: EvmChainId) => ChainDeployment["explorer"]

/** Which explorers links lead to: the public ones, where nothing else is provided. */
export const Explorers = Context.Reference<ExplorerOf>("@countersign/adapters/wire/Explorers", {
  defaultValue: () => (chainId) => deploymentOf(chainId).explorer
})

/** Where a transaction can be looked at by a person. */
export const explorerLink = (explorerOf: ExplorerOf, chainId: ChainId | null, hash: string | null) => {
  const explorer = chainId !== null && isEvmChainId(chainId) ? explorerOf(chainId) : null
  return {
    hash,
    explorerURL: hash === null || explorer === null ? null : `${explorer.url}/tx/${hash}`,
    explorer: explorer?.name ?? null
  }
}
