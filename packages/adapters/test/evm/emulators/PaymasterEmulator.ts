import type { EvmChainId } from "@countersign/core/foundation/chains"
import { NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import type { Token } from "@countersign/core/foundation/tokens"
import { Paymaster } from "@countersign/core/operations/user-operations"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { Context, Effect, Layer } from "effect"
import { type Hex, isAddressEqual, numberToHex } from "viem"
import { accountContracts } from "../../../src/chains/deployments/index.ts"
import { addressFromHex } from "../../../src/chains/evm/hex.ts"
import type { UserOperationJson } from "../../../src/chains/evm/user-operation/userOperationJson.ts"
import { type JsonRpcServer, RpcFault, serveJsonRpc } from "./JsonRpcServer.ts"
import { userOperationFromJson } from "./userOperationFromJson.ts"

export interface PaymasterEmulatorOptions {
  readonly chainId: EvmChainId
  readonly tokens: ReadonlyArray<Token>
  /** Number of seconds for which a signature is valid. The default is 600. */
  readonly validSeconds?: number
}

const INVALID_PARAMS = -32602

const versionOf = (entryPoint: unknown): EntryPointVersion =>
  isAddressEqual(entryPoint as Hex, accountContracts.entryPoint07) ? "0.7" : "0.8"

/**
 * Emulates a remote paymaster (ERC-7677 and Pimlico's token quotes) over HTTP. The built-in paymaster computes the
 * responses.
 */
export class PaymasterEmulator extends Context.Service<PaymasterEmulator, JsonRpcServer>()(
  "@countersign/adapters/evm/emulators/PaymasterEmulator"
) {
  static layer(options: PaymasterEmulatorOptions): Layer.Layer<PaymasterEmulator, never, Paymaster> {
    return Layer.effect(
      PaymasterEmulator,
      Effect.gen(function* () {
        const { chainId, tokens, validSeconds = 600 } = options
        const paymaster = yield* Paymaster

        const findToken = (address: unknown): Token => {
          const token = tokens.find((candidate) => candidate.address === addressFromHex(String(address)))
          if (token === undefined) throw new RpcFault(INVALID_PARAMS, `the token ${String(address)} is not supported`)
          return token
        }
        const termsOf = (entryPoint: unknown, token: Token) =>
          Effect.runPromise(paymaster.readTerms(chainId, versionOf(entryPoint), token))

        const contextTokenOf = (context: unknown): Token =>
          findToken((context as { readonly token?: string } | null)?.token ?? NATIVE_TOKEN)

        return yield* serveJsonRpc({
          pimlico_getTokenQuotes: async ([request, entryPoint]) => {
            const addresses = (request as { readonly tokens: ReadonlyArray<string> }).tokens.map(addressFromHex)
            // The response omits unsupported tokens.
            const supportedTokens = tokens.filter((token) => addresses.includes(token.address))
            const quotePromises = supportedTokens.map(async (token) => {
              const terms = await termsOf(entryPoint, token)
              return {
                paymaster: terms.address,
                token: token.address,
                postOpGas: numberToHex(terms.postOpGasCharge),
                exchangeRate: numberToHex(terms.tokenUnitsPerNativeToken)
              }
            })
            return { quotes: await Promise.all(quotePromises) }
          },
          pm_getPaymasterStubData: async ([, entryPoint, , context]) => {
            const terms = await termsOf(entryPoint, contextTokenOf(context))
            return {
              paymaster: terms.address,
              paymasterData: terms.stubData,
              paymasterVerificationGasLimit: numberToHex(terms.verificationGasLimit),
              paymasterPostOpGasLimit: numberToHex(terms.postOpGasLimit),
              isFinal: false
            }
          },
          pm_getPaymasterData: async ([json, entryPoint, , context]) => {
            const token = contextTokenOf(context)
            const terms = await termsOf(entryPoint, token)
            const { operation } = userOperationFromJson(chainId, json as UserOperationJson, entryPoint as Hex)
            const validUntil = Math.floor(Date.now() / 1000) + validSeconds
            const paymasterData = await Effect.runPromise(
              paymaster.sign(operation, token, terms, { validUntil, prefund: 0n })
            )
            return { paymaster: terms.address, paymasterData }
          }
        })
      })
    )
  }
}
