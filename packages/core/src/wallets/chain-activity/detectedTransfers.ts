import type { EvmChainId } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import type { DetectedTransfer, Touch } from "./Activity.ts"

/** A detected transfer and its tokens. The set contains null if the account made a user operation. */
export interface DetectedTokens {
  readonly detectedTransfer: DetectedTransfer
  readonly tokens: ReadonlySet<Address | null>
}

/** Groups the touches of registered accounts by transaction and account, in block order. */
export const detectedTransfersOf = (
  chainId: EvmChainId,
  touches: ReadonlyArray<Touch>,
  registered: ReadonlySet<Address>
): ReadonlyArray<DetectedTokens> => {
  const groups = Map.groupBy(
    touches.filter(({ account }) => registered.has(account)),
    ({ account, transactionHash }) => `${transactionHash} ${account}`
  )
  return Array.from(groups.values(), (group) => {
    const { account, blockHash, blockNumber, transactionHash } = group[0]!
    const nativeToken = group.flatMap((touch) => touch.nativeToken ?? [])
    return {
      detectedTransfer: { chainId, transactionHash, address: account, blockNumber, blockHash, coin: nativeToken },
      tokens: new Set(group.map(({ token }) => token))
    }
  })
}
