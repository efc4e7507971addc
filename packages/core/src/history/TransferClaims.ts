import { Context, Effect, Layer } from "effect"
import type { ChainId } from "../chains/index.ts"
import type { Hash32, WalletAddress } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"

/** The index of the native token that an EVM transaction moved, which no log reports. */
export const NATIVE_TRANSFER = -1

/** Transfers in one transaction of a chain that one operation records as its own. */
export interface TransferClaim {
  readonly projectId: ProjectId
  /** The operation, by its id in the wallet's history. */
  readonly transactionId: string
  readonly chainId: ChainId
  readonly hash: Hash32
  /** Whose transfers they are: a native transfer has no index of its own. */
  readonly account: WalletAddress
  /** Positions in the receipt's logs (EVM) or in the outputs (Bitcoin). They survive a reorg, unlike log indices of a block. */
  readonly indices: ReadonlyArray<number>
}

/** Which operation recorded which on-chain transfer, so that no transfer completes two operations of a project. */
export class TransferClaims extends Context.Service<
  TransferClaims,
  {
    /** Claims all of the transfers or none. True where all of them belong to the operation, also from an earlier call. */
    readonly claim: (claim: TransferClaim) => Effect.Effect<boolean>
    /** The indices of the transaction that other operations of the project have claimed. */
    readonly claimedByOthers: (claim: Omit<TransferClaim, "indices">) => Effect.Effect<ReadonlySet<number>>
  }
>()("@countersign/core/history/TransferClaims") {
  static readonly layerMemory = Layer.sync(TransferClaims, () => {
    const owners = new Map<string, string>()
    const keyOf = ({ account, chainId, hash, projectId }: Omit<TransferClaim, "indices">, index: number) =>
      `${projectId} ${chainId} ${hash} ${account} ${index}`
    return TransferClaims.of({
      claim: (claim) =>
        Effect.sync(() => {
          const keys = claim.indices.map((index) => keyOf(claim, index))
          if (keys.some((key) => (owners.get(key) ?? claim.transactionId) !== claim.transactionId)) return false
          for (const key of keys) owners.set(key, claim.transactionId)
          return true
        }),
      claimedByOthers: (claim) =>
        Effect.sync(() => {
          const prefix = keyOf(claim, 0).slice(0, -1)
          const others = [...owners].filter(([key, owner]) => key.startsWith(prefix) && owner !== claim.transactionId)
          return new Set(others.map(([key]) => Number(key.slice(prefix.length))))
        })
    })
  })
}
