import { type EvmChainId, isEvmChainId } from "@countersign/core/chains"
import { isNativeCoin } from "@countersign/core/primitives"
import type { OfferRequest } from "@countersign/core/swap"
import type { Token } from "@countersign/core/tokens"
import { acrossOrNull, bridgedAssets, deploymentOf, type ListedToken } from "../deployments/index.ts"

/** A token of one chain that Across gives as the same token of another. */
export interface AcrossWay {
  readonly originChainId: EvmChainId
  readonly destinationChainId: EvmChainId
  /** The token that the SpokePool takes: the wrapped coin, where the coin itself is given. */
  readonly input: Token
  /** The token that the fill has: the wrapped coin, where the receiver may get the coin itself. */
  readonly output: Token
  /** Whether the output is the wrapped coin of its chain. Fills unwrap it for receivers without code of their own. */
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

const listedOn = (chainId: EvmChainId, address: string): Token | null => {
  const found = deploymentOf(chainId).tokens.find((token) => token.address === address)
  return found === undefined ? null : tokenOf(found)
}

/** Whether a token is the asset itself, or the coin that the asset wraps. */
const means = (token: Token, asset: Token): boolean =>
  token.address === asset.address ||
  (isNativeCoin(token.address) && deploymentOf(asset.chainId as EvmChainId).wrappedNative.address === asset.address)

/** The ways that end in `tokenOut`, those that begin with `tokenIn` first. */
export const acrossWays = ({
  tokenIn,
  tokenOut
}: Pick<OfferRequest, "tokenIn" | "tokenOut">): ReadonlyArray<AcrossWay> => {
  const [originChainId, destinationChainId] = [tokenIn.chainId, tokenOut.chainId]
  const [origin, destination] = [acrossOrNull(originChainId), acrossOrNull(destinationChainId)]
  if (origin === null || destination === null || !isEvmChainId(originChainId) || !isEvmChainId(destinationChainId)) {
    return []
  }
  const ways = bridgedAssets.flatMap((asset): ReadonlyArray<AcrossWay> => {
    const [inputAddress, outputAddress] = [origin.tokens[asset], destination.tokens[asset]]
    if (inputAddress === undefined || outputAddress === undefined) return []
    const [input, output] = [listedOn(originChainId, inputAddress), listedOn(destinationChainId, outputAddress)]
    if (input === null || output === null || !means(tokenOut, output)) return []
    const isUnwrapped = deploymentOf(destinationChainId).wrappedNative.address === output.address
    return [{ originChainId, destinationChainId, input, output, isUnwrapped }]
  })
  return ways.toSorted((a, b) => Number(means(tokenIn, b.input)) - Number(means(tokenIn, a.input)))
}

/** Whether the token of a request is what the SpokePool takes, so that no swap comes before. */
export const isDirect = (tokenIn: Token, { input }: AcrossWay): boolean => means(tokenIn, input)
