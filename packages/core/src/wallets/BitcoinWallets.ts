import { Context, DateTime, Effect, Layer, Result } from "effect"
import { BitcoinProofs } from "../bitcoin/index.ts"
import { BadRequest } from "../errors/index.ts"
import { EventOutbox } from "../events/index.ts"
import { type BitcoinAddress, type Metadata, UnitOfWork } from "../primitives/index.ts"
import type { ProjectId } from "../projects/index.ts"
import type { WalletAlreadyRegistered } from "./errors.ts"
import { proofMessage } from "./proofMessage.ts"
import type { BitcoinWallet, Ownership } from "./Wallet.ts"
import { WalletStore } from "./WalletStore.ts"
import { type BitcoinWalletView, bitcoinView } from "./Wallets.ts"
import { walletRegistered } from "./walletEvent.ts"

export interface BitcoinRegistration {
  /** As it was given; its checksum is looked at here. */
  readonly address: string
  readonly proof: { readonly message: string; readonly signature: string } | null
  readonly metadata: Metadata
}

/** The registration of Bitcoin addresses. */
export class BitcoinWallets extends Context.Service<
  BitcoinWallets,
  {
    /** What the owner of an address signs to register it with the project. */
    readonly messageToSign: (projectId: ProjectId, address: string) => Effect.Effect<string, BadRequest>
    /** Registers an address whose owner has signed for it. */
    readonly register: (
      projectId: ProjectId,
      registration: BitcoinRegistration
    ) => Effect.Effect<BitcoinWalletView, BadRequest | WalletAlreadyRegistered>
    /** Registers an address of any kind without a proof, on an operator's word, to be watched. */
    readonly attach: (
      projectId: ProjectId,
      address: string,
      metadata: Metadata
    ) => Effect.Effect<BitcoinWalletView, BadRequest | WalletAlreadyRegistered>
  }
>()("@countersign/core/wallets/BitcoinWallets") {
  static readonly layer = Layer.effect(
    BitcoinWallets,
    Effect.gen(function* () {
      const store = yield* WalletStore
      const proofs = yield* BitcoinProofs
      const outbox = yield* EventOutbox
      const unitOfWork = yield* UnitOfWork

      const readAddress = (text: string): Effect.Effect<BitcoinAddress, BadRequest> =>
        Result.match(proofs.read(text), {
          onSuccess: ({ address }) => Effect.succeed(address),
          onFailure: ({ code, reason }) => Effect.fail(BadRequest.of("address", code, reason))
        })

      /** What is wrong with a proof; null where it is right. Each says the message that is expected. */
      const problemOf = (expected: string, address: BitcoinAddress, proof: BitcoinRegistration["proof"]) => {
        if (proof === null) {
          const howTo = "Sign it with the key of the address (BIP-322), and send message and signature."
          return BadRequest.of(
            "proof",
            "missing",
            `This field is required. The message to sign is: ${expected}. ${howTo}`
          )
        }
        if (proof.message !== expected) {
          return BadRequest.of("proof.message", "other_message", `Expected exactly this message: ${expected}`)
        }
        const refusal = proofs.refusal({ address, ...proof })
        return refusal === null
          ? null
          : BadRequest.of("proof.signature", "not_proved", `${refusal} The message to sign is: ${expected}`)
      }

      const insert = Effect.fnUntraced(function* (
        projectId: ProjectId,
        address: BitcoinAddress,
        ownership: Ownership,
        metadata: Metadata
      ) {
        const wallet: BitcoinWallet = {
          type: "BITCOIN",
          address,
          ownership,
          projectId,
          metadata,
          registeredAt: yield* DateTime.now,
          lastTransactionAt: null
        }
        yield* unitOfWork.run(Effect.andThen(store.insert(wallet), outbox.append(walletRegistered(wallet))))
        return bitcoinView(wallet)
      })

      return BitcoinWallets.of({
        messageToSign: (projectId, text) =>
          Effect.map(readAddress(text), (address) => proofMessage(projectId, address)),
        register: Effect.fn("BitcoinWallets.register")(function* (projectId, { address: text, metadata, proof }) {
          const address = yield* readAddress(text)
          const problem = problemOf(proofMessage(projectId, address), address, proof)
          if (problem !== null) return yield* problem
          return yield* insert(projectId, address, "PROVEN", metadata)
        }),
        attach: Effect.fn("BitcoinWallets.attach")(function* (projectId, text, metadata) {
          return yield* insert(projectId, yield* readAddress(text), "ATTACHED", metadata)
        })
      })
    })
  )
}
