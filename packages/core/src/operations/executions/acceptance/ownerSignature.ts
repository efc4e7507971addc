import { Effect } from "effect"
import type { Address, HexBytes } from "../../../foundation/primitives/index.ts"
import type { SignatureProblem, SignData } from "../../../foundation/signing/index.ts"
import type { AccountOperations } from "../../user-operations/index.ts"

/** Returns the problem with an ECDSA signature by the owner's key. Null if there is none. */
export const ownerSignatureProblem = Effect.fnUntraced(function* (
  accounts: AccountOperations["Service"],
  owner: Address,
  element: SignData,
  signature: HexBytes
): Effect.fn.Return<SignatureProblem | null> {
  const signer = yield* accounts.recoverSigner(element, signature)
  if (signer === null) return { _tag: "Malformed" }
  if (signer === owner) return null
  const mistake = yield* accounts.detectSigningMistake(element, signature, owner)
  return mistake === null ? { _tag: "ByAnother", address: signer } : { _tag: "OfAnother", mistake }
})
