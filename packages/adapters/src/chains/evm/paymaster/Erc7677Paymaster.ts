import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { UpstreamUnavailable } from "@countersign/core/foundation/errors"
import { Address, HexBytes } from "@countersign/core/foundation/primitives"
import { GasTokenNotAccepted, Paymaster, type UserOperation } from "@countersign/core/operations/user-operations"
import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import { Effect, Layer, Schema, SchemaTransformation } from "effect"
import { numberToHex } from "viem"
import { accountContracts } from "../../deployments/index.ts"
import { stubEcdsaSignature } from "../accounts/signature.ts"
import { type RpcOptions, type RpcRequest, rpcConnections } from "../rpc/rpcConnections.ts"
import { toUpstreamUnavailable } from "../rpc/unavailable.ts"
import { type UserOperationJson, userOperationJson } from "../user-operation/userOperationJson.ts"

const lowerCase = { decode: (text: string): string => text.toLowerCase(), encode: (text: string): string => text }
const AnyCaseAddress = Schema.String.pipe(Schema.decodeTo(Address, SchemaTransformation.transform(lowerCase)))
const AnyCaseBytes = Schema.String.pipe(Schema.decodeTo(HexBytes, SchemaTransformation.transform(lowerCase)))
const Quantity = Schema.String.check(Schema.isPattern(/^0x0*[0-9a-f]{1,32}$/iu))

/** Decodes the result of `pm_getPaymasterStubData` for EntryPoint 0.7 and later (ERC-7677). */
const decodeStubData = Schema.decodeUnknownSync(
  Schema.Struct({
    paymaster: AnyCaseAddress,
    paymasterData: AnyCaseBytes,
    paymasterVerificationGasLimit: Schema.optional(Quantity),
    paymasterPostOpGasLimit: Schema.optional(Quantity)
  })
)

/** Decodes the result of `pm_getPaymasterData` for EntryPoint 0.7 and later (ERC-7677). */
const decodePaymasterData = Schema.decodeUnknownSync(
  Schema.Struct({ paymaster: AnyCaseAddress, paymasterData: AnyCaseBytes })
)

/** Decodes the result of `pimlico_getTokenQuotes`. `exchangeRate` is in base units of the token per 10^18 wei. */
const decodeTokenQuotes = Schema.decodeUnknownSync(
  Schema.Struct({
    quotes: Schema.Array(Schema.Struct({ token: Schema.String, postOpGas: Quantity, exchangeRate: Quantity }))
  })
)

const entryPoints: Readonly<Record<EntryPointVersion, Address>> = {
  "0.7": accountContracts.entryPoint07,
  "0.8": accountContracts.entryPoint08
}

/**
 * A placeholder with which token quotes are requested before there is an operation. Services use only the EntryPoint,
 * the chain and the token.
 */
const placeholderOperation: UserOperationJson = {
  sender: "0x0000000000000000000000000000000000000001",
  nonce: "0x0",
  callData: "0x",
  callGasLimit: "0x0",
  verificationGasLimit: "0x0",
  preVerificationGas: "0x0",
  maxFeePerGas: "0x1",
  maxPriorityFeePerGas: "0x1",
  signature: stubEcdsaSignature
}

/** Assumed if the service returns no limits. Sufficient for Pimlico's and the built-in ERC-20 paymasters. */
const DEFAULT_VERIFICATION_GAS = 100_000n
const DEFAULT_POST_OP_GAS = 120_000n

/**
 * Supports any paymaster service with ERC-7677 that quotes tokens like Pimlico's (`pimlico_getTokenQuotes`, context
 * `{token}`). The service chooses the validity of its signature. `urls` are the services' URLs.
 */
export const layer = (options: RpcOptions): Layer.Layer<Paymaster> =>
  Layer.sync(Paymaster, () => {
    const { requestOf } = rpcConnections("PAYMASTER", options)

    const requestPaymaster = <A>(chainId: EvmChainId, send: (request: RpcRequest) => Promise<A>) =>
      Effect.tryPromise({
        try: () => send(requestOf(chainId)),
        catch: (thrown) => toUpstreamUnavailable(paymasterOf(chainId), thrown)
      })

    return Paymaster.of({
      readTerms: Effect.fn("Paymaster.terms")(function* (chainId, version, token) {
        const chain = numberToHex(chainId)
        const entryPointAndChain = [entryPoints[version], chain]
        const [quotes, stub] = yield* requestPaymaster(chainId, async (request) => {
          const context = { token: token.address }
          const [quotesResponse, stubResponse] = await Promise.all([
            request({ method: "pimlico_getTokenQuotes", params: [{ tokens: [token.address] }, ...entryPointAndChain] }),
            // A service may reject the token here. The error is ignored, because the missing token quote explains the
            // problem better.
            request({
              method: "pm_getPaymasterStubData",
              params: [placeholderOperation, ...entryPointAndChain, context]
            }).catch((thrown: unknown) => ({ thrown }))
          ])
          return [decodeTokenQuotes(quotesResponse).quotes, stubResponse] as const
        })
        const quote = quotes.find((candidate) => candidate.token.toLowerCase() === token.address)
        if (quote === undefined) {
          return yield* new GasTokenNotAccepted({
            token: token.symbol,
            reason: "the paymaster does not accept this token"
          })
        }
        const stubData = yield* requestPaymaster(chainId, async () => {
          if (typeof stub === "object" && stub !== null && "thrown" in stub) throw stub.thrown
          return decodeStubData(stub)
        })
        return {
          address: stubData.paymaster,
          tokenUnitsPerNativeToken: BigInt(quote.exchangeRate),
          postOpGasCharge: BigInt(quote.postOpGas),
          verificationGasLimit: BigInt(stubData.paymasterVerificationGasLimit ?? DEFAULT_VERIFICATION_GAS),
          postOpGasLimit: BigInt(stubData.paymasterPostOpGasLimit ?? DEFAULT_POST_OP_GAS),
          stubData: stubData.paymasterData,
          refundsFrom: null
        }
      }),
      sign: Effect.fn("Paymaster.sign")(function* (operation, token, terms) {
        const { chainId, entryPoint } = operation
        const params = [paymasterRequest(operation), entryPoint, numberToHex(chainId), { token: token.address }]
        const response = yield* requestPaymaster(chainId, async (request) =>
          decodePaymasterData(await request({ method: "pm_getPaymasterData", params }))
        )
        if (response.paymaster !== terms.address) {
          const reason = `its contract changed from ${terms.address} to ${response.paymaster} while the operation was prepared`
          return yield* new UpstreamUnavailable({ upstream: paymasterOf(chainId), reason })
        }
        return HexBytes.make(response.paymasterData)
      })
    })
  })

const paymasterOf = (chainId: EvmChainId): string => `Paymaster of ${chainOf(chainId).name}`

const paymasterRequest = (operation: UserOperation): UserOperationJson =>
  userOperationJson(operation, stubEcdsaSignature, null)
