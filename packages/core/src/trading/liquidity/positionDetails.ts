import { Schema } from "effect"
import { detailsKind, type Transaction } from "../../accounting/history/index.ts"
import { Address } from "../../foundation/primitives/index.ts"
import type { OperationOutcome } from "../../operations/user-operations/index.ts"

/** One, as a fraction scaled by 10^18. */
export const ONE_E18 = 10n ** 18n

/** The position details of a transaction. */
export const PositionDetails = Schema.Struct({
  /** The NFT contract. */
  manager: Address,
  /** The NFT id; null until the transaction mints the NFT. */
  tokenId: Schema.NullOr(Schema.String),
  /** The id of the position's first NFT, which stays when a rebalance mints another NFT. Null until it is known. */
  positionId: Schema.NullOr(Schema.String),
  /**
   * For a withdrawal, as quoted: the share of the position's liquidity, and the fraction of the withdrawn value that is
   * fees. Both are scaled by 10^18 and rounded down.
   */
  withdrawn: Schema.optionalKey(Schema.Struct({ shareE18: Schema.BigInt, earnedE18: Schema.BigInt }))
})
export type PositionDetails = typeof PositionDetails.Type

export const positionDetails = detailsKind("liquidity", PositionDetails)

/** The subject of all transactions with a position NFT. */
export const positionSubject = (tokenId: string): string => `position:${tokenId}`

/** The metadata key for filtering the history by position. */
export const POSITION_ID = "positionId"

/**
 * The transaction with the minted NFT. For a new position, its id becomes the position id. It is also added to the
 * metadata, unless the caller uses this key. After a reorg the NFT can be a different one.
 */
export const withMintedPosition = (
  transaction: Transaction,
  { mintedNfts }: Pick<OperationOutcome, "mintedNfts">
): Transaction => {
  const position = positionDetails.in(transaction)
  const nft = mintedNfts.find(({ contract }) => contract === position?.manager)
  if (position === null || nft === undefined) return transaction
  const tokenId = String(nft.tokenId)
  const begins = position.positionId === null || position.positionId === position.tokenId
  const isNew = transaction.type === "LIQUIDITY_CREATE" && begins
  const { metadata } = transaction
  const isOurs = metadata[POSITION_ID] === undefined || metadata[POSITION_ID] === position.positionId
  const positionId = isNew ? tokenId : position.positionId
  return {
    ...transaction,
    subject: positionSubject(tokenId),
    metadata: isNew && isOurs ? { ...metadata, [POSITION_ID]: tokenId } : metadata,
    details: { ...transaction.details, ...positionDetails.of({ ...position, tokenId, positionId }) }
  }
}
