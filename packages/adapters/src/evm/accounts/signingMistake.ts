import type { Address, Hash32, HexBytes } from "@countersign/core/primitives"
import type { SignData, SigningMistake } from "@countersign/core/signing"
import { hashMessage } from "viem"
import { hash32FromHex } from "../hex.ts"
import { personalMessageDigest, recoverDigestSigner } from "./signature.ts"

/** EIP-191 of the 66 characters of a hash: what wallets sign that take it for a text. */
const textDigest = (hash: Hash32): Hash32 => hash32FromHex(hashMessage(hash))

/** The wrong ways to sign a hash. */
const digestsOf = ({ hash, method }: SignData): ReadonlyArray<readonly [SigningMistake, Hash32]> => [
  ["HASH_AS_TEXT", textDigest(hash)],
  method === "personal_sign" ? ["DIGEST_ALONE", hash] : ["HASH_AS_MESSAGE", personalMessageDigest(hash)]
]

/** What the owner signed in place of what is asked, among the usual mistakes. */
export const signingMistake = async (
  data: SignData,
  signature: HexBytes,
  owner: Address
): Promise<SigningMistake | null> => {
  for (const [mistake, digest] of digestsOf(data)) {
    if ((await recoverDigestSigner(digest, signature)) === owner) return mistake
  }
  return null
}
