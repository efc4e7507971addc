import { Schema } from "effect"
import { detailsKind, type Transaction } from "../../accounting/history/index.ts"
import { Address } from "../../foundation/primitives/index.ts"
import type { OperationOutcome } from "../../operations/user-operations/index.ts"

/** One, in the scale of the shares of a withdrawal. */
export const ONE_E18 = 10n ** 18n

/** A transaction's details of its position. */
export const PositionDetails = Schema.Struct({
  /** The NFT's contract. */
  manager: Address,
  /** The NFT: the new one where the transaction makes one, as soon as it is known. */
  tokenId: Schema.NullOr(Schema.String),
  /** The first NFT of the position's life, which it keeps when it is given a new one; null until that is known. */
  positionId: Schema.NullOr(Schema.String),
  /**
   * For a withdrawal, as quoted: the share of the position's liquidity, and the share of the withdrawn value that is fees which
   * the position earned. Scaled by 10^18, rounded down.
   */
  withdrawn: Schema.optionalKey(Schema.Struct({ shareE18: Schema.BigInt, earnedE18: Schema.BigInt }))
})
export type PositionDetails = typeof PositionDetails.Type

export const positionDetails = detailsKind("liquidity", PositionDetails)

/** The subject of the transactions of a position NFT. */
export const positionSubject = (tokenId: string): string => `position:${tokenId}`

/** The key of the metadata that a position's transactions are found by. */
export const POSITION_ID = "positionId"

/**
 * The transaction with the NFT that its operation made. A position that begins with it has its life's id from it, in the
 * metadata too, unless the caller's own metadata has that key. After a reorganisation it can be another NFT.
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
