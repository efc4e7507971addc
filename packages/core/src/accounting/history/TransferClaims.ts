import { Context, Effect, Layer } from "effect"
import type { ChainId } from "../../foundation/chains/index.ts"
import type { Hash32, WalletAddress } from "../../foundation/primitives/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"

/**
 * The index of the first native token transfer in an EVM transaction. Such a transfer has no log index. Further native
 * transfers have lower indexes (-2, -3 and so on).
 */
export const NATIVE_TRANSFER = -1

/** The part of a transfer that an operation records, in base units. */
export interface TransferShare {
  /**
   * Position in the receipt's logs (EVM) or in the outputs (Bitcoin). Unlike the block's log index, a reorg does not
   * change it.
   */
  readonly index: number
  readonly amount: bigint
  /**
   * The full amount of the transfer. Several operations may share it: for example, one bridge refund can cover several
   * deposits.
   */
  readonly of: bigint
}

/** Transfers of one on-chain transaction that an operation records as its own. */
export interface TransferClaim {
  readonly projectId: ProjectId
  /** The operation's transaction id in the wallet's history. */
  readonly transactionId: string
  readonly chainId: ChainId
  /**
   * The transaction hash. If no node can trace the transactions of the block, the block hash: the claim then covers the
   * increase of the account's balance in that block.
   */
  readonly hash: Hash32
  /**
   * The account that sends or receives the transfers. It is part of the key, because the indexes of native transfers
   * are not unique in a transaction.
   */
  readonly account: WalletAddress
  readonly shares: ReadonlyArray<TransferShare>
}

/** Returns the total of the shares of each transfer, by index. */
export const totalShares = (
  shares: ReadonlyArray<Pick<TransferShare, "amount" | "index">>
): ReadonlyMap<number, bigint> => {
  const totals = new Map<number, bigint>()
  for (const { amount, index } of shares) totals.set(index, (totals.get(index) ?? 0n) + amount)
  return totals
}

/** Returns whether the claims of each transfer together stay within its amount. */
export const isWithinTransfers = ({ shares }: TransferClaim, claimedByOthers: ReadonlyMap<number, bigint>): boolean =>
  shares.every(({ amount, index, of }) => (claimedByOthers.get(index) ?? 0n) + amount <= of)

/**
 * Records how much of an on-chain transfer each operation has claimed, so that the same amount never completes two
 * operations of a project.
 */
export class TransferClaims extends Context.Service<
  TransferClaims,
  {
    /**
     * Claims all shares or none. Returns true if all of them belong to the operation, including after an earlier call.
     */
    readonly claim: (claim: TransferClaim) => Effect.Effect<boolean>
    /** Returns the amounts in the transaction that other operations of the project have claimed, by transfer index. */
    readonly readClaimedByOthers: (claim: Omit<TransferClaim, "shares">) => Effect.Effect<ReadonlyMap<number, bigint>>
  }
>()("@countersign/core/history/TransferClaims") {
  static readonly layerMemory = Layer.sync(TransferClaims, () => {
    const storedShares = new Map<string, TransferClaim & { readonly share: TransferShare }>()
    const keyOf = ({ account, chainId, hash, projectId }: Omit<TransferClaim, "shares">) =>
      `${projectId} ${chainId} ${hash} ${account}`
    const readOtherClaims = (claim: Omit<TransferClaim, "shares">) =>
      totalShares(
        [...storedShares.values()]
          .filter((other) => keyOf(other) === keyOf(claim) && other.transactionId !== claim.transactionId)
          .map(({ share }) => share)
      )
    return TransferClaims.of({
      claim: (claim) =>
        Effect.sync(() => {
          if (!isWithinTransfers(claim, readOtherClaims(claim))) return false
          for (const share of claim.shares) {
            storedShares.set(`${keyOf(claim)} ${share.index} ${claim.transactionId}`, { ...claim, share })
          }
          return true
        }),
      readClaimedByOthers: (claim) => Effect.sync(() => readOtherClaims(claim))
    })
  })
}
