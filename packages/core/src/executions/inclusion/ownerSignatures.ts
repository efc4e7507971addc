import { Effect } from "effect"
import type { UserOperationIntent } from "../../intents/index.ts"
import type { Hash32, HexBytes } from "../../primitives/index.ts"
import { type Signatures, type SignData, signatureOf } from "../../signing/index.ts"
import { type AccountOperations, InvalidSignature } from "../../user-operations/index.ts"

/** What the owner of a wallet sends to have an operation executed. */
export interface ExecuteRequest {
  readonly hash: Hash32
  /** The owner's signature of the operation that the hash names. */
  readonly signature: HexBytes
  /** The owner's signature of the EIP-7702 tuple, where the quote asks for one. */
  readonly authorization: HexBytes | null
  /** The owner's signatures of what else the quote asks for, each under the hash of its element. */
  readonly signatures?: Signatures
}

/** An element that is to be signed, and the request field that carries its signature. */
interface Element {
  readonly signDatum: SignData
  readonly field: string
  readonly signature: HexBytes | null
}

const elementsOf = (
  operations: ReadonlyArray<UserOperationIntent>,
  { authorization, hash, signature, signatures = {} }: ExecuteRequest
): ReadonlyArray<Element> =>
  operations.flatMap((operation) =>
    operation.signData.map((signDatum): Element => {
      const other = signatureOf(signatures, signDatum)
      if (signDatum.type === "AUTHORIZATION") {
        return { signDatum, field: "authorization", signature: authorization ?? other }
      }
      return operation.hash === hash
        ? { signDatum, field: "signature", signature }
        : { signDatum, field: `signatures.${signDatum.hash}`, signature: other }
    })
  )

/** The signatures of a request. Fails unless the account's owner signed every element that the operations ask for. */
export const requireOwnersSignatures = Effect.fnUntraced(function* (
  accounts: AccountOperations["Service"],
  operations: ReadonlyArray<UserOperationIntent>,
  owner: UserOperationIntent["account"]["owner"],
  request: ExecuteRequest
) {
  const ownersSignatures: Record<string, HexBytes> = {}
  for (const { field, signature, signDatum } of elementsOf(operations, request)) {
    const refusal = {
      field,
      expected: owner,
      element: signDatum.hash,
      elementType: signDatum.type,
      method: signDatum.method
    }
    if (signature === null) return yield* new InvalidSignature({ ...refusal, problem: { _tag: "Missing" } })
    const signer = yield* accounts.recoverSigner(signDatum, signature)
    if (signer === null) return yield* new InvalidSignature({ ...refusal, problem: { _tag: "Malformed" } })
    if (signer !== owner) {
      const mistake = yield* accounts.signingMistake(signDatum, signature, owner)
      return yield* new InvalidSignature({
        ...refusal,
        problem: mistake === null ? { _tag: "ByAnother", address: signer } : { _tag: "OfAnother", mistake }
      })
    }
    ownersSignatures[signDatum.hash] = signature
  }
  const signatures: Signatures = ownersSignatures
  return signatures
})
