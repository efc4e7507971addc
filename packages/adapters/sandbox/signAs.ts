import { type Hash32, HexBytes, type WalletAddress } from "@countersign/core/foundation/primitives"
import type { SignData } from "@countersign/core/foundation/signing"
import { Context, Effect } from "effect"
import { privateKeyToAccount } from "viem/accounts"

const signatureOf = (run: () => Promise<string>): Effect.Effect<HexBytes> =>
  Effect.map(Effect.promise(run), (signature) => HexBytes.make(signature.toLowerCase()))

/** Signs as a demonstration owner instead of the owner's wallet. The service itself never signs for an owner. */
export const signAs = (
  privateKey: HexBytes,
  { hash, method }: Pick<SignData, "method"> & { readonly hash: Hash32 }
) => {
  const owner = privateKeyToAccount(privateKey)
  // The hash of typed data is its digest, so signing the hash also covers the other two methods.
  return method === "personal_sign"
    ? signatureOf(() => owner.signMessage({ message: { raw: hash } }))
    : signatureOf(() => owner.sign({ hash }))
}

export type SandboxSigner = (element: SignData, wallet: WalletAddress) => Effect.Effect<HexBytes>

/** Additional signers for methods that need other keys than those of the sandbox's owners. */
export const SandboxSigners = Context.Reference<ReadonlyMap<SignData["method"], SandboxSigner>>(
  "@countersign/adapters/sandbox/SandboxSigners",
  { defaultValue: () => new Map() }
)
