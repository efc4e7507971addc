import type { EvmChainId } from "@countersign/core/chains"
import { isNativeCoin } from "@countersign/core/primitives"
import type { Token } from "@countersign/core/tokens"
import { deploymentOf } from "../deployments/index.ts"

/** A token as the settlement trades it: a chain's coin as its wrapped form, because it takes no coin and pays contracts in none. */
export const wrapped = (token: Token, chainId: EvmChainId): Token => {
  if (!isNativeCoin(token.address)) return token
  const { address, name, symbol } = deploymentOf(chainId).wrappedNative
  return { ...token, address, name, symbol }
}
