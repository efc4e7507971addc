import { Schema } from "effect"
import { MAX_UINT256 } from "../../foundation/primitives/index.ts"

const message = "Expected the token id of a position NFT: decimal digits without leading zeros, below 2^256"
const MAX_UINT256_TEXT = String(MAX_UINT256)

/** The token id of an NFT as a canonical decimal string, so that the history can be filtered by it. */
export const NftTokenIdText = Schema.String.check(
  Schema.makeFilter((text) => text.length < MAX_UINT256_TEXT.length || text <= MAX_UINT256_TEXT || message),
  Schema.isPattern(/^(?:0|[1-9]\d{0,77})$/u, { message })
)
