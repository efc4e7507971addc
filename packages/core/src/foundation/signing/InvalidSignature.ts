import { Schema } from "effect"
import { Address, Hash32, WalletAddress } from "../primitives/index.ts"

/** Data that the owner's key may have signed by mistake, instead of the quoted data. */
export const SigningMistake = Schema.Literals(["HASH_AS_TEXT", "DIGEST_ALONE", "HASH_AS_MESSAGE"])
export type SigningMistake = typeof SigningMistake.Type

const SignatureProblem = Schema.Union([
  Schema.TaggedStruct("Missing", {}),
  /** The signature has an invalid format. */
  Schema.TaggedStruct("Malformed", {}),
  Schema.TaggedStruct("ByAnother", { address: Address }),
  Schema.TaggedStruct("OfAnother", { mistake: SigningMistake }),
  /** The signed data differ from the quote. `reason` describes the difference. */
  Schema.TaggedStruct("NotAsQuoted", { reason: Schema.String })
])
export type SignatureProblem = typeof SignatureProblem.Type

const mistakeSentences: Readonly<Record<SigningMistake, string>> = {
  HASH_AS_TEXT:
    "the owner signed the hash as a text of 66 characters instead of its 32 bytes (viem: signMessage({ message: { raw: hash } }))",
  DIGEST_ALONE:
    "the owner signed the hash itself, without the prefix of a message (viem: signMessage({ message: { raw: hash } }))",
  HASH_AS_MESSAGE: "the owner signed the hash as a message with a prefix, instead of the hash itself"
}

const problemSentence = (problem: Exclude<SignatureProblem, { readonly _tag: "Missing" | "NotAsQuoted" }>): string => {
  switch (problem._tag) {
    case "Malformed":
      return "it is not a 65-byte ECDSA signature (r, s in the lower half, v of 0, 1, 27 or 28)"
    case "ByAnother":
      return `it was made by ${problem.address}, or signs other data`
    case "OfAnother":
      return mistakeSentences[problem.mistake]
  }
}

export class InvalidSignature extends Schema.TaggedError<InvalidSignature>("core/signing/InvalidSignature")(
  "INVALID_SIGNATURE",
  {
    /** The request field that contains the signature. */
    field: Schema.String,
    expected: WalletAddress,
    /** The `hash` of the signData element. */
    element: Hash32,
    elementType: Schema.String,
    method: Schema.String,
    problem: SignatureProblem
  }
) {
  /** Returns the same error for a request in which another field contains the signature. */
  withField(field: string): InvalidSignature {
    const { element, elementType, expected, method, problem } = this
    return new InvalidSignature({ field, element, elementType, expected, method, problem })
  }

  override get message(): string {
    const { element, elementType, expected, field, method, problem } = this
    const location = `signData's element of type ${elementType}`
    if (problem._tag === "Missing") {
      return `The ${field} is missing, but the quote requires it. Sign ${location} (${element}) with ${method}, and send it as ${field}.`
    }
    if (problem._tag === "NotAsQuoted") {
      return `The ${field} differs from the quoted data. ${problem.reason}${problem.reason.endsWith(".") ? "" : "."} Sign ${location} with ${method}.`
    }
    return `The ${field} must be made by the wallet's owner ${expected}, but ${problemSentence(problem)}. Sign ${location} with ${method}.`
  }
}
