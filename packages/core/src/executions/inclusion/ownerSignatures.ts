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
  for (const signDatum of signData) {
    const signature = signatureOf(signatures, signDatum)
    const signer = signature === null ? null : yield* accounts.recoverSigner(signDatum, signature)
    if (signer !== account.owner) {
      return yield* new InvalidSignature({
        field: fieldOf(signDatum),
        expected: account.owner,
        recovered: signer,
        method: signDatum.method
      })
    }
  }
})
