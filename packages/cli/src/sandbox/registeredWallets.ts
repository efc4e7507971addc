import { type SandboxBitcoinKey, signMessage } from "@countersign/adapters/sandbox"
import type { Metadata } from "@countersign/core/foundation/primitives"
import type { Project } from "@countersign/core/tenancy/projects"
import { type AccountRequest, BitcoinWallets, Wallets } from "@countersign/core/wallets/registry"
import { Effect } from "effect"

/** Registers a smart wallet with the project, unless an earlier run has registered it. */
export const registerWallet = Effect.fnUntraced(function* (
  project: Project,
  request: AccountRequest,
  metadata: Metadata
) {
  const wallets = yield* Wallets
  return yield* wallets.register(project.id, request, metadata).pipe(
    Effect.catchTag("WALLET_ALREADY_REGISTERED", () => wallets.lookUp(project.id, request)),
    Effect.orDie
  )
})

/** Registers a Bitcoin wallet with its proof and public key, unless an earlier run has registered it. */
export const registerBitcoinWallet = Effect.fnUntraced(function* (
  project: Project,
  wallet: SandboxBitcoinKey,
  metadata: Metadata
) {
  const registry = yield* BitcoinWallets
  yield* registry.messageToSign(project.id, wallet.address).pipe(
    Effect.flatMap((message) => {
      const proof = { message, signature: signMessage(wallet, message) }
      const { address, publicKey } = wallet
      return registry.register(project.id, { address, proof, publicKey, derivation: null, metadata })
    }),
    Effect.catchTag("WALLET_ALREADY_REGISTERED", () => Effect.void),
    Effect.orDie
  )
})
