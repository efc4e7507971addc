import { type ChainId, chainOf, isEvmChainId } from "@countersign/core/foundation/chains"
import type { Token } from "@countersign/core/foundation/tokens"
import { Context } from "effect"
import { type ChainDeployment, deploymentOf } from "../../chains/deployments/index.ts"
import type { Hex } from "./fields.ts"

/**
 * The base URL of the service as the client addresses it. Logos have URLs below it, because the service itself serves
 * them.
 */
export type BaseUrl = string

/** The base URL for links outside of a request: the public URL of the service, or empty. */
export const LinkBase = Context.Reference<BaseUrl>("@countersign/adapters/LinkBase", { defaultValue: () => "" })

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

/** Returns the block explorer of a chain. `/tx/<hash>` is appended to its URL. */
export type ExplorerOf = (chainId: ChainId) => ChainDeployment["explorer"]

const bitcoinExplorer = { name: "Blockstream Explorer", url: "https://blockstream.info" }

/** The block explorers that responses link to. Public explorers by default. */
export const Explorers = Context.Reference<ExplorerOf>("@countersign/adapters/wire/Explorers", {
  defaultValue: () => (chainId) => (isEvmChainId(chainId) ? deploymentOf(chainId).explorer : bitcoinExplorer)
})

/** Builds the block explorer URL of a transaction. */
export const explorerLink = (explorerOf: ExplorerOf, chainId: ChainId | null, hash: Hex | null) => {
  const explorer = chainId === null ? null : explorerOf(chainId)
  if (hash === null) return null
  // Bitcoin transaction ids have no `0x` prefix.
  const id = chainId === 0 ? hash.slice(2) : hash
  return {
    hash,
    explorerURL: explorer === null ? null : `${explorer.url}/tx/${id}`,
    explorer: explorer?.name ?? null
  }
}
