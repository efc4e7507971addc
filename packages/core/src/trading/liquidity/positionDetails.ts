import { Schema } from "effect"
import { detailsKind, type Transaction } from "../../accounting/history/index.ts"
import { Address } from "../../foundation/primitives/index.ts"
import type { OperationOutcome } from "../../operations/user-operations/index.ts"

/** One, as a fraction scaled by 10^18. */
export const ONE_E18 = 10n ** 18n

/** The `details` of a transaction with a position. */
export const PositionDetails = Schema.Struct({
  /** The contract of the position NFTs. */
  manager: Address,
  /** The NFT's token id. Null until the transaction mints the NFT. */
  tokenId: Schema.NullOr(Schema.String),
  /**
   * The token id of the position's first NFT, which stays the same when a rebalance mints another NFT. Null until it is
   * known.
   */
  positionId: Schema.NullOr(Schema.String),
  /**
   * Only for a withdrawal, as quoted: the share of the position's liquidity, and the fraction of the withdrawn value
   * that comes from fees. Both are scaled by 10^18 and rounded down.
   */
  withdrawn: Schema.optionalKey(Schema.Struct({ shareE18: Schema.BigInt, earnedE18: Schema.BigInt }))
})
export type PositionDetails = typeof PositionDetails.Type

export const positionDetails = detailsKind("liquidity", PositionDetails)

/** Returns the `subject` of transactions with a position NFT. */
export const positionSubject = (tokenId: string): string => `position:${tokenId}`

/** The metadata key for filtering the history by position. */
export const POSITION_ID = "positionId"

/**
 * Adds the minted NFT to the transaction. For a new position, the NFT's id becomes the position id, which is also added
 * to the metadata unless the caller uses this key. A reorg may lead to a different NFT.
 */
export const withMintedPosition = (
  transaction: Transaction,
  { mintedNfts }: Pick<OperationOutcome, "mintedNfts">
): Transaction => {
  const position = positionDetails.in(transaction)
  const nft = mintedNfts.find(({ contract }) => contract === position?.manager)
  if (position === null || nft === undefined) return transaction
  const tokenId = String(nft.tokenId)
  const isFirstNft = position.positionId === null || position.positionId === position.tokenId
  const isNew = transaction.type === "LIQUIDITY_CREATE" && isFirstNft
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
