import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address, Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import type { Authorization, SignData, SigningMistake } from "@countersign/core/foundation/signing"
import { AccountOperations } from "@countersign/core/operations/user-operations"
import { Effect, Layer } from "effect"
import { hashMessage } from "viem"
import { hashAuthorization } from "viem/utils"
import { hash32FromHex } from "../hex.ts"
import { userOperationHash } from "../user-operation/userOperationHash.ts"
import { implementationOf } from "./accountImplementations.ts"
import { personalMessageDigest, recoverDigestSigner, withCanonicalV } from "./signature.ts"

/** EIP-191 digest of a hash as 66 characters of text. Wallets sign this digest if they treat the hash as text. */
const textDigest = (hash: Hash32): Hash32 => hash32FromHex(hashMessage(hash))

/** Returns the digests that wallets sign by mistake instead of the digest of a hash. */
const digestsOf = ({ hash, method }: SignData): ReadonlyArray<readonly [SigningMistake, Hash32]> => [
  ["HASH_AS_TEXT", textDigest(hash)],
  method === "personal_sign" ? ["DIGEST_ALONE", hash] : ["HASH_AS_MESSAGE", personalMessageDigest(hash)]
]

/** Finds the owner's signing mistake; null if it is not a known one. */
const findSigningMistake = async (
  data: SignData,
  signature: HexBytes,
  owner: Address
): Promise<SigningMistake | null> => {
  for (const [mistake, digest] of digestsOf(data)) {
    if ((await recoverDigestSigner(digest, signature)) === owner) return mistake
  }
  return null
}

/** Builds an EIP-7702 authorization. Its hash is keccak256(0x05 ‖ rlp([chainId, address, nonce])). */
const authorizationOf = (chainId: EvmChainId, delegate: Address, nonce: bigint): Authorization => ({
  chainId,
  address: delegate,
  nonce: Number(nonce),
  hash: hash32FromHex(hashAuthorization({ chainId, address: delegate, nonce: Number(nonce) }))
})

const authorizationSignData = (authorization: Authorization): SignData => ({
  type: "AUTHORIZATION",
  method: "eip7702_authorization",
  hash: authorization.hash,
  authorization
})

/**
 * Supports SimpleAccount 0.7 and 0.8, Safe 1.4.1 with its 4337 module, and Simple7702Account. Reads nothing from
 * chains.
 */
export const layer: Layer.Layer<AccountOperations> = Layer.succeed(
  AccountOperations,
  AccountOperations.of({
    entryPointOf: ({ kind }) => {
      const { entryPoint, entryPointVersion } = implementationOf(kind).info
      return { address: entryPoint, version: entryPointVersion }
    },
    deploymentOf: (account) => implementationOf(account.kind).deployment(account),
    signsValidity: ({ kind }) => implementationOf(kind).signsValidity,
    encodeCalls: ({ kind }, calls) => implementationOf(kind).encodeCalls(calls),
    stubSignatureOf: ({ kind }) => implementationOf(kind).stubSignature,
    hash: userOperationHash,
    buildAuthorization: authorizationOf,
    buildSignData: ({ kind }, operation) => [
      implementationOf(kind).signData(operation),
      ...(operation.authorization === null ? [] : [authorizationSignData(operation.authorization)])
    ],
    recoverSigner: (data, signature) =>
      Effect.promise(() =>
        recoverDigestSigner(data.method === "personal_sign" ? personalMessageDigest(data.hash) : data.hash, signature)
      ),
    detectSigningMistake: (data, signature, owner) => Effect.promise(() => findSigningMistake(data, signature, owner)),
    wrapSignature: ({ kind }, operation, signature) =>
      implementationOf(kind).wrapSignature(operation, withCanonicalV(signature))
  })
)
