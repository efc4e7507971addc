import { type EvmChainId, isEvmChainId } from "@countersign/core/foundation/chains"
import { type Address, isNativeToken, mulDivRoundingDown } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import type { OfferRequest } from "@countersign/core/trading/swap"
import { acrossOrNull, bridgedAssets, deploymentOf, type ListedToken } from "../../chains/deployments/index.ts"

/** A pair of tokens between which Across transfers from one chain to another. */
export interface AcrossRoute {
  readonly originChainId: EvmChainId
  readonly destinationChainId: EvmChainId
  /** The token that the SpokePool receives. For a deposit of the native token it is the wrapped native token. */
  readonly input: Token
  /** The token that the fill pays. It is the wrapped native token if the receiver may get the native token. */
  readonly output: Token
  /**
   * Whether the output is the wrapped native token of its chain. A fill unwraps it if the receiver has no code, or only
   * an EIP-7702 delegation.
   */
  readonly isUnwrapped: boolean
}

const tokenOf = ({ address, chainId, decimals, name, symbol }: ListedToken): Token => ({
  chainId,
  address,
  name,
  symbol,
  decimals,
  realWorldAsset: false
})

/** Finds a token in the committed token list. Null if the chain's list does not contain it. */
export const listedTokenOrNull = (chainId: EvmChainId, address: string): Token | null => {
  const listedToken = deploymentOf(chainId).tokens.find((token) => token.address === address)
  return listedToken === undefined ? null : tokenOf(listedToken)
}

/** Whether `token` is `asset`, or the native token whose wrapped form is `asset`. */
export const representsToken = (token: Token, asset: Pick<Token, "chainId" | "address">): boolean =>
  token.address === asset.address ||
  (isNativeToken(token.address) && deploymentOf(asset.chainId as EvmChainId).wrappedNative.address === asset.address)

/** Returns all token pairs between the two chains. Pairs whose input is `tokenIn` come first. */
const routesBetween = ({
  tokenIn,
  tokenOut
}: Pick<OfferRequest, "tokenIn" | "tokenOut">): ReadonlyArray<AcrossRoute> => {
  const [originChainId, destinationChainId] = [tokenIn.chainId, tokenOut.chainId]
  const [origin, destination] = [acrossOrNull(originChainId), acrossOrNull(destinationChainId)]
  if (origin === null || destination === null || !isEvmChainId(originChainId) || !isEvmChainId(destinationChainId)) {
    return []
  }
  const routes = bridgedAssets.flatMap((asset): ReadonlyArray<AcrossRoute> => {
    const [inputAddress, outputAddress] = [origin.tokens[asset], destination.tokens[asset]]
    if (inputAddress === undefined || outputAddress === undefined) return []
    const [input, output] = [
      listedTokenOrNull(originChainId, inputAddress),
      listedTokenOrNull(destinationChainId, outputAddress)
    ]
    if (input === null || output === null) return []
    const isUnwrapped = deploymentOf(destinationChainId).wrappedNative.address === output.address
    return [{ originChainId, destinationChainId, input, output, isUnwrapped }]
  })
  return routes.toSorted(
    (a, b) => Number(representsToken(tokenIn, b.input)) - Number(representsToken(tokenIn, a.input))
  )
}

/** Whether a fill pays the requested token or its wrapped form. */
const outputsToken = (tokenOut: Token, { output }: AcrossRoute): boolean => representsToken(tokenOut, output)

/**
 * Selects the token pair of a transfer. Prefers a pair whose output is `tokenOut`; otherwise the output is swapped for
 * `tokenOut` on the destination chain. Among several pairs, prefers one whose input is `tokenIn`. Null if Across does
 * not connect the two chains.
 */
export const acrossRouteOrNull = (
  request: Pick<OfferRequest, "tokenIn" | "tokenOut">
): { readonly route: AcrossRoute; readonly swapsOnArrival: boolean } | null => {
  const routes = routesBetween(request)
  const directRoute = routes.find((candidate) => outputsToken(request.tokenOut, candidate))
  const route = directRoute ?? routes[0]
  return route === undefined ? null : { route, swapsOnArrival: directRoute === undefined }
}

/** Whether the SpokePool accepts `tokenIn` itself, so that no swap is needed before the deposit. */
export const isDirect = (tokenIn: Token, { input }: AcrossRoute): boolean => representsToken(tokenIn, input)

/** A token on a chain. */
interface ChainToken {
  readonly chainId: EvmChainId
  readonly token: Address
}

/**
 * Converts an amount at par to the token of the other chain. Null if Across does not transfer between the two tokens.
 */
export const parityRoundingDown = (from: ChainToken, to: ChainToken, amount: bigint): bigint | null => {
  const [origin, destination] = [acrossOrNull(from.chainId), acrossOrNull(to.chainId)]
  const isAsset = bridgedAssets.some(
    (asset) => origin?.tokens[asset] === from.token && destination?.tokens[asset] === to.token
  )
  const [input, output] = [listedTokenOrNull(from.chainId, from.token), listedTokenOrNull(to.chainId, to.token)]
  if (!isAsset || input === null || output === null) return null
  return mulDivRoundingDown(amount, 10n ** BigInt(output.decimals), 10n ** BigInt(input.decimals))
}
