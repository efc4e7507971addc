import { Context, Effect, Layer } from "effect"
import type { ChainId } from "../../foundation/chains/index.ts"
import type { Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/**
 * The index of the first native token transfer in an EVM transaction, which has no log. The indexes of further native
 * transfers count down.
 */
export const NATIVE_TRANSFER = -1

/** The part of one transfer that an operation records, in base units. */
export interface TransferShare {
  /** Position in the receipt's logs (EVM) or in the outputs (Bitcoin). Unlike a block's log index, reorgs keep it. */
  readonly index: number
  readonly amount: bigint
  /**
   * The whole transfer. Several operations may share it up to this amount: for example, one bridge refund can cover
   * several deposits.
   */
  readonly of: bigint
}

/** Transfers of one on-chain transaction that one operation records as its own. */
export interface TransferClaim {
  readonly projectId: ProjectId
  /** The operation, by its id in the wallet's history. */
  readonly transactionId: string
  readonly chainId: ChainId
  /**
   * The transaction hash. If no node can trace the block's transactions, it is the block hash, and the claim is for the
   * account's gain in that block.
   */
  readonly hash: Hash32
  /** The account of the transfers. It identifies native transfers, because their indexes are not unique. */
  readonly account: WalletAddress
  readonly shares: ReadonlyArray<TransferShare>
}

/** The sum of the shares of each transfer, by index. */
export const totalShares = (
  shares: ReadonlyArray<Pick<TransferShare, "amount" | "index">>
): ReadonlyMap<number, bigint> => {
  const totals = new Map<number, bigint>()
  for (const { amount, index } of shares) totals.set(index, (totals.get(index) ?? 0n) + amount)
  return totals
}

/** Whether no transfer is claimed beyond its amount. */
export const isWithinTransfers = ({ shares }: TransferClaim, claimedByOthers: ReadonlyMap<number, bigint>): boolean =>
  shares.every(({ amount, index, of }) => (claimedByOthers.get(index) ?? 0n) + amount <= of)

/**
 * Records which operation claims which on-chain transfer, so that no transfer completes two operations of a project.
 */
export class TransferClaims extends Context.Service<
  TransferClaims,
  {
    /**
     * Claims all shares or none. Returns true if all of them belong to the operation, including from an earlier call.
     */
    readonly claim: (claim: TransferClaim) => Effect.Effect<boolean>
    /** The amounts of the transaction that the project's other operations have claimed, by transfer index. */
    readonly claimedByOthers: (claim: Omit<TransferClaim, "shares">) => Effect.Effect<ReadonlyMap<number, bigint>>
  }
>()("@countersign/core/history/TransferClaims") {
  static readonly layerMemory = Layer.sync(TransferClaims, () => {
    const storedShares = new Map<string, TransferClaim & { readonly share: TransferShare }>()
    const keyOf = ({ account, chainId, hash, projectId }: Omit<TransferClaim, "shares">) =>
      `${projectId} ${chainId} ${hash} ${account}`
    const amountsOfOthers = (claim: Omit<TransferClaim, "shares">) =>
      totalShares(
        [...storedShares.values()]
          .filter((other) => keyOf(other) === keyOf(claim) && other.transactionId !== claim.transactionId)
          .map(({ share }) => share)
      )
    return TransferClaims.of({
      claim: (claim) =>
        Effect.sync(() => {
          if (!isWithinTransfers(claim, amountsOfOthers(claim))) return false
          for (const share of claim.shares) {
            storedShares.set(`${keyOf(claim)} ${share.index} ${claim.transactionId}`, { ...claim, share })
          }
          return true
        }),
      claimedByOthers: (claim) => Effect.sync(() => amountsOfOthers(claim))
    })
  })
}
