import { Schema } from "effect"
import { ChainId } from "../chains/index.ts"
import { Address } from "../primitives/index.ts"

/** A token is not in the catalog. Either the operator adds it, or the caller chooses another token. */
export class TokensNotAuthorized extends Schema.TaggedError<TokensNotAuthorized>("core/tokens/TokensNotAuthorized")(
  "NOT_AUTHORIZED_TOKENS",
  { tokens: Schema.NonEmptyArray(Schema.Struct({ field: Schema.String, chainId: ChainId, address: Address })) }
) {
  override get message(): string {
    const names = this.tokens.map((token) => `${token.field} ${token.address} on chain ${token.chainId}`)
    return `Not supported: ${names.join(", ")}.`
  }
}

export class IndividualVerificationRequired extends Schema.TaggedError<IndividualVerificationRequired>(
  "core/tokens/IndividualVerificationRequired"
)("INDIVIDUAL_VERIFICATION_REQUIRED", { symbol: Schema.String }) {
  override get message(): string {
    return `${this.symbol} is a tokenized real-world asset: its swaps require the individualId of a verified individual.`
  }
}
