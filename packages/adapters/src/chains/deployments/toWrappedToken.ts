import { isEvmChainId } from "@countersign/core/foundation/chains"
import { isNativeToken } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { deploymentOf } from "./productionDeployments.ts"

/** Returns the wrapped form of a native token on an EVM chain; any other token unchanged. */
export const toWrappedToken = (token: Token): Token => {
  if (!isNativeToken(token.address) || !isEvmChainId(token.chainId)) return token
  const { address, name, symbol } = deploymentOf(token.chainId).wrappedNative
  return { ...token, address, name, symbol }
}
