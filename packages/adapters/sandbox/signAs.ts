import { type Hash32, HexBytes, type WalletAddress } from "@countersign/core/foundation/primitives"
import type { SignData } from "@countersign/core/foundation/signing"
import { Context, Effect } from "effect"
import { privateKeyToAccount } from "viem/accounts"

const signatureOf = (run: () => Promise<string>): Effect.Effect<HexBytes> =>
  Effect.map(Effect.promise(run), (signature) => HexBytes.make(signature.toLowerCase()))

/**
 * Signs as a demonstration owner of the sandbox. The service itself never signs for an owner: this stands in for the
 * wallet in which a real owner's key lives.
 */
export const signAs = (
  privateKey: HexBytes,
  { hash, method }: Pick<SignData, "method"> & { readonly hash: Hash32 }
) => {
  const owner = privateKeyToAccount(privateKey)
  // The hash of typed data is its digest, so that both other methods sign the same way.
  return method === "personal_sign"
    ? signatureOf(() => owner.signMessage({ message: { raw: hash } }))
    : signatureOf(() => owner.sign({ hash }))
}

/** Signs an element for a wallet. */
export type SandboxSigner = (element: SignData, wallet: WalletAddress) => Effect.Effect<HexBytes>

/** Who signs by the methods that the sandbox's owners have no key for. */
export const SandboxSigners = Context.Reference<ReadonlyMap<SignData["method"], SandboxSigner>>(
  "@countersign/adapters/sandbox/SandboxSigners",
  { defaultValue: () => new Map() }
)
