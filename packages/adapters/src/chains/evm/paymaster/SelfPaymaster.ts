import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { type Address, type HexBytes, mulDivRoundingUp, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import {
  type Token,
  TokenPrices,
  tokenKey,
  tokenUnitsPerNativeTokenRoundingUp
} from "@countersign/core/foundation/tokens"
import {
  GasTokenNotAccepted,
  Paymaster,
  type PaymasterCommitment,
  type PaymasterTerms
} from "@countersign/core/operations/user-operations"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { Effect, Layer, Option, Redacted } from "effect"
import { privateKeyToAccount } from "viem/accounts"
import { stubEcdsaSignature } from "../accounts/signature.ts"
import {
  type PaymasterHashing,
  paymasterHash,
  type TokenCharge,
  unsignedPaymasterData,
  withSignature
} from "./singletonPaymaster.ts"

export interface SelfPaymasterOptions {
  /** The SingletonPaymaster for each EntryPoint. It needs a deposit at that EntryPoint on every chain. */
  readonly paymasters: Readonly<Record<EntryPointVersion, Address>>
  /** Key of one of the paymasters' signers. */
  readonly signerKey: Redacted.Redacted<HexBytes>
  /** Address that receives the tokens. */
  readonly treasury: Address
  /** Hash version of the paymaster for EntryPoint 0.8. Default: "V7", as in the published build. */
  readonly hashing08?: PaymasterHashing
  /**
   * Who may send sponsored operations. Default: "LISTED", with which a stolen signature is useless, but the contracts
   * must list the operators. "ALL" is for an external bundler whose senders are unknown.
   */
  readonly bundlers?: TokenCharge["bundlers"]
  /**
   * Markup on the market rate in basis points, for price changes until the operation is included. Default: 200 (2 %).
   */
  readonly markupBasisPoints?: number
}

/** Gas limit of each of the paymaster's two calls, for a token behind a proxy. */
const VERIFICATION_GAS_LIMIT = 60_000n
const POST_OP_GAS_LIMIT = 90_000n
/** Gas of the token's `transferFrom` and the paymaster's event, which the operation also pays. */
const POST_OP_GAS_CHARGE = 50_000n

/** The built-in ERC-20 paymaster. It charges the market rate plus a markup. The service itself signs the terms. */
export const layer = (options: SelfPaymasterOptions): Layer.Layer<Paymaster, never, TokenPrices> =>
  Layer.effect(
    Paymaster,
    Effect.gen(function* () {
      const prices = yield* TokenPrices
      const signer = privateKeyToAccount(Redacted.value(options.signerKey))
      const hashing08 = options.hashing08 ?? "V7"
      const markup = BigInt(options.markupBasisPoints ?? 200)

      const rateOf = Effect.fnUntraced(function* (chainId: EvmChainId, token: Token) {
        const refuse = (reason: string) => new GasTokenNotAccepted({ token: token.symbol, reason })
        const nativeToken = { chainId, address: NATIVE_TOKEN }
        const knownPrices = yield* prices.findPrices([nativeToken, token])
        const nativePrice = knownPrices.get(tokenKey(nativeToken))
        const tokenPrice = knownPrices.get(tokenKey(token))
        // Every native token has a price source. So a missing price means that the nodes failed, not that the request
        // is invalid.
        if (nativePrice === undefined) {
          return yield* new UpstreamUnavailable({
            upstream: `The price of ${chainOf(chainId).name}'s native token`,
            reason: "the price could not be read"
          })
        }
        if (tokenPrice === undefined) return yield* refuse("its price is unknown")
        if (nativePrice.source === "NOW" || tokenPrice.source === "NOW") {
          return yield* refuse("its only price in the native token is the spot price, which a single trade can move")
        }
        // Uses the highest native token price and the lowest token price among the sources, so that manipulating one
        // pool does not lower the payment.
        const rate = tokenUnitsPerNativeTokenRoundingUp(nativePrice.high, tokenPrice.low, token)
        if (Option.isNone(rate)) return yield* refuse("its price is zero")
        return mulDivRoundingUp(rate.value, 10_000n + markup, 10_000n)
      })

      type ChargeTerms = Pick<PaymasterTerms, "tokenUnitsPerNativeToken" | "postOpGasCharge">
      const chargeOf = (
        token: Token,
        terms: ChargeTerms,
        { prefund, validUntil }: PaymasterCommitment
      ): TokenCharge => ({
        token: token.address,
        treasury: options.treasury,
        tokenUnitsPerNativeToken: terms.tokenUnitsPerNativeToken,
        postOpGas: terms.postOpGasCharge,
        validUntil,
        prefund,
        bundlers: options.bundlers ?? "LISTED"
      })

      return Paymaster.of({
        readTerms: Effect.fn("Paymaster.terms")(function* (chainId, entryPointVersion, token) {
          const chargeTerms = {
            tokenUnitsPerNativeToken: yield* rateOf(chainId, token),
            postOpGasCharge: POST_OP_GAS_CHARGE
          }
          return {
            ...chargeTerms,
            address: options.paymasters[entryPointVersion],
            verificationGasLimit: VERIFICATION_GAS_LIMIT,
            postOpGasLimit: POST_OP_GAS_LIMIT,
            refundsFrom: options.treasury,
            stubData: withSignature(
              unsignedPaymasterData(chargeOf(token, chargeTerms, { validUntil: 0, prefund: 0n })),
              stubEcdsaSignature
            )
          }
        }),
        sign: Effect.fn("Paymaster.sign")(function* (operation, token, terms, commitment) {
          const { paymaster } = operation
          if (paymaster?.address !== terms.address) {
            return yield* new UpstreamUnavailable({
              upstream: "Paymaster",
              reason: "the operation has another paymaster"
            })
          }
          const unsignedData = unsignedPaymasterData(chargeOf(token, terms, commitment))
          const hashing = operation.entryPointVersion === "0.7" ? "V7" : hashing08
          const raw = paymasterHash(operation, paymaster, unsignedData, hashing)
          const signature = yield* Effect.promise(() => signer.signMessage({ message: { raw } }))
          return withSignature(unsignedData, signature)
        })
      })
    })
  )
