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
  /** The NFT id; null until the transaction has minted it. */
  tokenId: Schema.NullOr(Schema.String),
  /** The id of the position's first NFT, which stays when a rebalance mints another one; null until it is known. */
  positionId: Schema.NullOr(Schema.String),
  /**
   * For a withdrawal, as quoted: the share of the position's liquidity, and the fraction of the withdrawn value that is
   * earned fees. Scaled by 10^18, rounded down.
   */
  withdrawn: Schema.optionalKey(Schema.Struct({ shareE18: Schema.BigInt, earnedE18: Schema.BigInt }))
})
export type PositionDetails = typeof PositionDetails.Type

export const positionDetails = detailsKind("liquidity", PositionDetails)

/** The subject of the transactions of a position NFT. */
export const positionSubject = (tokenId: string): string => `position:${tokenId}`

/** The metadata key by which a position's transactions are found. */
export const POSITION_ID = "positionId"

/**
 * The transaction with the minted NFT. A new position gets its position id from it, also in the metadata unless the
 * caller uses that key. After a reorg it can be another NFT.
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
