import { accountImplementations, EvmAccountOperations } from "@countersign/adapters/chains/evm"
import type { EvmChainId } from "@countersign/core/foundation/chains"
import { Address, HexBytes } from "@countersign/core/foundation/primitives"
import { AccountOperations, type Call, type UserOperation } from "@countersign/core/operations/user-operations"
import type { AnyQuote } from "@countersign/http/verify"
import { Effect } from "effect"
import { formatUnits, parseUnits } from "viem"
import type { HonestQuote } from "./honestQuotes.ts"

/**
 * Simulates a server that lies consistently: the hashes, the typed data, the preview and the elements to sign match the
 * changed operation. It uses the service's own code, but no code of the verifier.
 */

const accountOperations = Effect.runSync(
  Effect.provide(
    Effect.map(AccountOperations, (each) => each),
    EvmAccountOperations.layer
  )
)

export interface ForgedCall {
  readonly to: string
  readonly value: bigint
  readonly data: string
}

export interface Changes {
  readonly calls?: (calls: ReadonlyArray<ForgedCall>) => ReadonlyArray<ForgedCall>
  /** Applied after the calls are encoded. */
  readonly operation?: (operation: UserOperation) => UserOperation
  /** Applied last, after all other fields were made to match. */
  readonly quote?: (quote: Quote) => object
}

// biome-ignore lint/suspicious/noExplicitAny: a forged quote may have any value.
type Quote = any

const operationAt = (quote: AnyQuote, index: number): UserOperation => {
  const givenOperation = quote.userOperations.at(index)!
  const authorization = givenOperation.factory === "0x7702" ? quote.authorization : null
  return {
    chainId: givenOperation.chainId as EvmChainId,
    entryPoint: Address.make(givenOperation.entryPoint),
    entryPointVersion: givenOperation.entryPointVersion as "0.7" | "0.8",
    sender: Address.make(givenOperation.sender),
    nonce: BigInt(givenOperation.nonce),
    factory: givenOperation.factory as UserOperation["factory"],
    factoryData: givenOperation.factoryData as HexBytes | null,
    callData: HexBytes.make(givenOperation.callData),
    callGasLimit: BigInt(givenOperation.callGasLimit),
    verificationGasLimit: BigInt(givenOperation.verificationGasLimit),
    preVerificationGas: BigInt(givenOperation.preVerificationGas),
    maxFeePerGas: BigInt(givenOperation.maxFeePerGas),
    maxPriorityFeePerGas: BigInt(givenOperation.maxPriorityFeePerGas),
    paymaster:
      givenOperation.paymaster === null
        ? null
        : {
            address: Address.make(givenOperation.paymaster),
            verificationGasLimit: BigInt(givenOperation.paymasterVerificationGasLimit!),
            postOpGasLimit: BigInt(givenOperation.paymasterPostOpGasLimit!),
            data: HexBytes.make(givenOperation.paymasterData!)
          },
    authorization: (authorization ?? null) as UserOperation["authorization"],
    validUntil: givenOperation.validUntil
  }
}

/** Returns the elements to sign in the format of a quote. */
const elementsOf = (operation: UserOperation, signer: Parameters<typeof accountOperations.buildSignData>[0]) =>
  accountOperations
    .buildSignData(signer, operation)
    .map((element) =>
      element.type === "USER_OPERATION" ? { ...element, userOperationHash: accountOperations.hash(operation) } : element
    )

/** Returns the fields of an operation in the format of a quote. */
const operationFieldsOf = (operation: UserOperation) => {
  const { authorization: _, paymaster, ...fields } = operation
  return {
    ...JSON.parse(JSON.stringify(fields, (_key, value) => (typeof value === "bigint" ? String(value) : value))),
    validUntil: operation.validUntil ?? null,
    userOperationHash: accountOperations.hash(operation),
    paymaster: paymaster?.address ?? null,
    paymasterVerificationGasLimit: paymaster === null ? null : String(paymaster.verificationGasLimit),
    paymasterPostOpGasLimit: paymaster === null ? null : String(paymaster.postOpGasLimit),
    paymasterData: paymaster?.data ?? null
  }
}

export const callsOf = (quote: AnyQuote): ReadonlyArray<ForgedCall> =>
  quote.preview.calls.map(({ data, to, value }) => ({ to, data, value: parseUnits(value, 18) }))

const callOf = ({ data, to, value }: ForgedCall): Call => ({
  to: Address.make(to),
  data: HexBytes.make(data),
  value,
  summary: ""
})

/** Builds the quote that the service would return for the changed operation. */
export const forge = ({ account, quote }: Pick<HonestQuote, "account" | "quote">, changes: Changes): AnyQuote => {
  const { encodeCalls, info } = accountImplementations.find((each) => each.info.factory === account.factory)!
  const calls = changes.calls === undefined ? callsOf(quote) : changes.calls(callsOf(quote))
  const honestOperation = operationAt(quote, -1)
  const operationWithCalls =
    changes.calls === undefined ? honestOperation : { ...honestOperation, callData: encodeCalls(calls.map(callOf)) }
  const operation = changes.operation?.(operationWithCalls) ?? operationWithCalls
  const signer = { kind: info.kind } as Parameters<typeof accountOperations.buildSignData>[0]
  const signData = elementsOf(operation, signer)
  const forgedQuote: Quote = {
    ...quote,
    userOperationHash: accountOperations.hash(operation),
    quoteId: accountOperations.hash(operation),
    userOperations: [...quote.userOperations.slice(0, -1), operationFieldsOf(operation)],
    signData: [...quote.signData.slice(0, -signData.length), ...signData],
    ...(operation.authorization === null ? {} : { authorization: operation.authorization }),
    ...(quote.type === "SWAP" && quote.typedData !== undefined ? { typedData: signData[0]!.typedData } : {}),
    preview: {
      ...quote.preview,
      calls: calls.map(({ data, to, value }, i) => ({
        ...quote.preview.calls[i],
        to,
        data,
        value: formatUnits(value, 18)
      }))
    }
  }
  // Serializes and parses the quote, as a client receives it.
  return JSON.parse(JSON.stringify(changes.quote?.(forgedQuote) ?? forgedQuote))
}

/** Builds a quote of two operations, of which the first approves the gas token and also executes another call. */
export const forgeFirstOperation = (
  { account, quote }: Pick<HonestQuote, "account" | "quote">,
  extraCall: ForgedCall
): AnyQuote => {
  const { encodeCalls, info } = accountImplementations.find((each) => each.info.factory === account.factory)!
  const honestOperation = operationAt(quote, 0)
  const paymaster = honestOperation.paymaster!.address.slice(2)
  const calls = callsOf(quote)
  const allowances = calls.filter(({ data }) => data.startsWith("0x095ea7b3") && data.includes(paymaster))
  const operation = { ...honestOperation, callData: encodeCalls([...allowances, extraCall].map(callOf)) }
  const signer = { kind: info.kind } as Parameters<typeof accountOperations.buildSignData>[0]
  const signData = elementsOf(operation, signer)
  const { data, to, value } = extraCall
  return JSON.parse(
    JSON.stringify({
      ...quote,
      userOperations: [operationFieldsOf(operation), ...quote.userOperations.slice(1)],
      signData: [...signData, ...quote.signData.slice(signData.length)],
      preview: {
        ...quote.preview,
        calls: [
          ...quote.preview.calls.slice(0, allowances.length),
          { to, data, value: formatUnits(value, 18) },
          ...quote.preview.calls.slice(allowances.length)
        ]
      }
    })
  )
}

/** Builds an authorization whose hash matches its fields. */
export const authorizationOf = (chainId: number, delegate: string, nonce: number) => ({
  ...accountOperations.buildAuthorization(chainId as EvmChainId, Address.make(delegate), BigInt(nonce)),
  chainId: chainId as EvmChainId
})
