import { Context, DateTime, Effect, Equal, Layer, Option, Result } from "effect"
import { BitcoinProofs, type KeyDerivation, type SigningKey } from "../../bitcoin/chain/index.ts"
import { BadRequest } from "../../foundation/errors/index.ts"
import { type BitcoinAddress, type HexBytes, type Metadata, UnitOfWork } from "../../foundation/primitives/index.ts"
import { EventOutbox } from "../../tenancy/events/index.ts"
import type { ProjectId } from "../../tenancy/projects/index.ts"
import { WalletAlreadyRegistered } from "./errors.ts"
import { proofMessage } from "./proofMessage.ts"
import type { BitcoinWallet } from "./Wallet.ts"
import { WalletStore } from "./WalletStore.ts"
import { type BitcoinWalletView, bitcoinWalletView } from "./Wallets.ts"
import { walletRegistered } from "./walletEvent.ts"

export interface BitcoinAttachment {
  /** The address as the caller wrote it. Its checksum is not verified yet. */
  readonly address: string
  readonly metadata: Metadata
  /**
   * In any format that `BitcoinProofs.keyOf` accepts. If null, the key from the proof is used if the proof contains
   * one.
   */
  readonly publicKey: HexBytes | null
  readonly derivation: KeyDerivation | null
}

export interface BitcoinRegistration extends BitcoinAttachment {
  readonly proof: { readonly message: string; readonly signature: string } | null
}

/**
 * Returns the changes of a registered address. Null if neither the ownership nor the key changes. Metadata are only
 * changed together with one of them.
 */
const changesOf = (
  before: BitcoinWallet,
  { key, metadata, ownership }: Pick<BitcoinWallet, "key" | "metadata" | "ownership">
) => {
  const nextKey: SigningKey | null =
    key === null ? before.key : { ...key, derivation: key.derivation ?? before.key?.derivation ?? null }
  const addsProof = before.ownership === "ATTACHED" && ownership === "PROVEN"
  if (!addsProof && Equal.equals(nextKey, before.key)) return null
  return {
    key: nextKey,
    ...(addsProof ? { ownership } : {}),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata })
  }
}

/** Registers Bitcoin addresses. */
export class BitcoinWallets extends Context.Service<
  BitcoinWallets,
  {
    /** Returns the message that the owner of an address signs to register it with the project. */
    readonly messageToSign: (projectId: ProjectId, address: string) => Effect.Effect<string, BadRequest>
    /**
     * Registers an address with the owner's signature. If the address is already registered, adds the proof to an
     * attached address, and adds or replaces the public key and its derivation. Metadata are replaced only together
     * with one of these. Fails if nothing of this is new.
     */
    readonly register: (
      projectId: ProjectId,
      registration: BitcoinRegistration
    ) => Effect.Effect<BitcoinWalletView, BadRequest | WalletAlreadyRegistered>
    /**
     * Registers an address without a proof, by the operator's decision, or adds or replaces the public key of a
     * registered address.
     */
    readonly attach: (
      projectId: ProjectId,
      attachment: BitcoinAttachment
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
        Result.match(proofs.parseAddress(text), {
          onSuccess: ({ address }) => Effect.succeed(address),
          onFailure: ({ code, reason }) => Effect.fail(BadRequest.of("address", code, reason))
        })

      /** Verifies a proof. Each error contains the expected message. */
      const requireProof = Effect.fnUntraced(function* (
        expectedMessage: string,
        address: BitcoinAddress,
        proof: BitcoinRegistration["proof"]
      ) {
        if (proof === null) {
          const instruction =
            "Sign the message with the key of the address (BIP-322), and send the message and the signature."
          return yield* BadRequest.of(
            "proof",
            "missing",
            `This field is required. The message to sign is: ${expectedMessage}. ${instruction}`
          )
        }
        if (proof.message !== expectedMessage) {
          return yield* BadRequest.of(
            "proof.message",
            "other_message",
            `Expected exactly this message: ${expectedMessage}`
          )
        }
        const proofResult = proofs.check({ address, ...proof })
        return Result.isSuccess(proofResult)
          ? proofResult.success.publicKey
          : yield* BadRequest.of(
              "proof.signature",
              "not_proved",
              `${proofResult.failure} The message to sign is: ${expectedMessage}`
            )
      })

      /** Returns the public key. Null if neither the request nor the proof contains it. */
      const keyOf = Effect.fnUntraced(function* (
        address: BitcoinAddress,
        { derivation, publicKey: requestedKey }: BitcoinAttachment,
        provenKey: HexBytes | null
      ) {
        const walletKey = requestedKey ?? provenKey
        if (walletKey === null) {
          return derivation === null
            ? null
            : yield* BadRequest.of(
                "publicKey",
                "missing",
                "`derivation` requires `publicKey`. Send both, or omit `derivation`."
              )
        }
        const key = proofs.keyOf(address, walletKey)
        if (Result.isFailure(key)) return yield* BadRequest.of("publicKey", "other_key", key.failure)
        return { publicKey: key.success, derivation }
      })

      /**
       * Stores a registration. Concurrent registrations merge their fields: the later one reads the result of the
       * earlier one.
       */
      const save = Effect.fnUntraced(
        function* (
          projectId: ProjectId,
          address: BitcoinAddress,
          fields: Pick<BitcoinWallet, "key" | "metadata" | "ownership">
        ) {
          yield* store.lock(projectId, address)
          const walletBefore = Option.getOrNull(yield* store.find(projectId, address))
          if (walletBefore?.type === "BITCOIN") {
            const changes = changesOf(walletBefore, fields)
            if (changes === null) return yield* new WalletAlreadyRegistered({ walletAddress: address })
            yield* store.updateBitcoin(projectId, address, changes)
            return bitcoinWalletView({ ...walletBefore, ...changes })
          }
          const wallet: BitcoinWallet = {
            type: "BITCOIN",
            address,
            projectId,
            ...fields,
            registeredAt: yield* DateTime.now,
            lastTransactionAt: null
          }
          yield* store.insert(wallet)
          yield* outbox.append(walletRegistered(wallet))
          return bitcoinWalletView(wallet)
        },
        unitOfWork.run,
        // Two first registrations may collide, because no row exists yet that could be locked.
        Effect.retry({ times: 1, while: ({ _tag }) => _tag === "WALLET_ALREADY_REGISTERED" })
      )

      return BitcoinWallets.of({
        messageToSign: (projectId, text) =>
          Effect.map(readAddress(text), (address) => proofMessage(projectId, address)),
        register: Effect.fn("BitcoinWallets.register")(function* (projectId, registration) {
          const { metadata, proof } = registration
          const address = yield* readAddress(registration.address)
          const provenKey = yield* requireProof(proofMessage(projectId, address), address, proof)
          const key = yield* keyOf(address, registration, provenKey)
          return yield* save(projectId, address, { key, metadata, ownership: "PROVEN" })
        }),
        attach: Effect.fn("BitcoinWallets.attach")(function* (projectId, attachment) {
          const address = yield* readAddress(attachment.address)
          const key = yield* keyOf(address, attachment, null)
          return yield* save(projectId, address, { key, metadata: attachment.metadata, ownership: "ATTACHED" })
        })
      })
    })
  )
}
