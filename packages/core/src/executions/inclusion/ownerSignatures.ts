import { Effect } from "effect"
import type { UserOperationIntent } from "../../intents/index.ts"
import { type Signatures, type SignData, signatureOf } from "../../signing/index.ts"
import { type AccountOperations, InvalidSignature } from "../../user-operations/index.ts"

/** The request field that carries a signature. */
const fieldOf = ({ type }: SignData): string => (type === "AUTHORIZATION" ? "authorization" : "signature")

/** Fails unless the account's owner signed every element that the intent asks for. */
export const requireOwnersSignatures = Effect.fnUntraced(function* (
  accounts: AccountOperations["Service"],
  { account, signData }: UserOperationIntent,
  signatures: Signatures
) {
  for (const asked of signData) {
    const given = signatureOf(signatures, asked)
    const recovered = given === null ? null : yield* accounts.recoverSigner(asked, given)
    if (recovered !== account.owner) {
      return yield* new InvalidSignature({
        field: fieldOf(asked),
        expected: account.owner,
        recovered,
        method: asked.method
      })
    }
  }
})
