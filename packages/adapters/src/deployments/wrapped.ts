import type { EvmChainId } from "@countersign/core/chains"
import { isNativeCoin } from "@countersign/core/primitives"
import type { Token } from "@countersign/core/tokens"
import { deploymentOf } from "./productionDeployments.ts"

/** The wrapped form of the native token; any other token itself. */
export const wrapped = (token: Token, chainId: EvmChainId): Token => {
  if (!isNativeCoin(token.address)) return token
  const { address, name, symbol } = deploymentOf(chainId).wrappedNative
  return { ...token, address, name, symbol }
}
