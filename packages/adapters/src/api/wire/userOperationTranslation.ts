import type { Hash32, HexBytes } from "@countersign/core/foundation/primitives"
import { signatureOf } from "@countersign/core/foundation/signing"
import type { OperationWithExecution } from "@countersign/core/operations/executions"
import type { UserOperationIntent } from "@countersign/core/operations/intents"
import type { Project } from "@countersign/core/tenancy/projects"
import { DateTime } from "effect"
import { amountText, coinText, type FindToken } from "./amounts.ts"
import { type BaseUrl, chainBody } from "./links.ts"
import { signDataBody } from "./signData.ts"

/**
 * Derives the id of an operation: a UUID of version 8 from the first 16 bytes of the hash. The same operation always
 * has the same id.
 */
export const operationId = (hash: Hash32): string => {
  const digits = hash.slice(2, 34)
  const variant = ((Number.parseInt(digits.charAt(16), 16) & 0x3) | 0x8).toString(16)
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `8${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20)
  ].join("-")
}

/** Returns the owner's signature of the operation; null until the signed quote is accepted. */
const ownerSignatureOf = ({ execution, intent }: OperationWithExecution): HexBytes | null => {
  const signDatum = intent.signData.find(({ type }) => type === "USER_OPERATION")
  return execution === null || signDatum === undefined ? null : signatureOf(execution.signatures, signDatum)
}

const gasBody = ({ gas, operation }: UserOperationIntent, find: FindToken) => ({
  maxGasFeeNative: coinText(gas.maxWei),
  maxGasFeeToken: amountText(gas.maxToken, find(operation.chainId, gas.token)),
  payFeesToken: gas.token
})

export const userOperationBody = (
  base: BaseUrl,
  project: Project,
  knownOperation: OperationWithExecution,
  find: FindToken
) => {
  const { execution, intent, quote } = knownOperation
  const { account, operation } = intent
  const { paymaster } = operation
  const chainIdIn = quote.transaction.chainIdIn ?? operation.chainId
  const chainIdOut = quote.transaction.chainIdOut ?? operation.chainId
  return {
    metadata: quote.metadata,
    ...(quote.revertReason === null ? {} : { revertReason: quote.revertReason }),
    ...(operation.authorization === null ? {} : { authorization: operation.authorization }),
    chainIn: chainBody(base, chainIdIn),
    chainOut: chainBody(base, chainIdOut),
    chainIdIn,
    chainIdOut,
    sender: {
      walletAddress: account.address,
      accountAbstraction: account.address,
      externallyOwnedAccount: account.owner
    },
    nonce: String(operation.nonce),
    signature: ownerSignatureOf(knownOperation),
    callGasLimit: String(operation.callGasLimit),
    verificationGasLimit: String(operation.verificationGasLimit),
    preVerificationGas: String(operation.preVerificationGas),
    maxFeePerGas: String(operation.maxFeePerGas),
    maxPriorityFeePerGas: String(operation.maxPriorityFeePerGas),
    ...gasBody(intent, find),
    factory: {
      data: operation.factoryData,
      address: operation.factory,
      entryPointVersion: operation.entryPointVersion
    },
    paymaster: paymaster?.address ?? null,
    paymasterData: paymaster?.data ?? null,
    paymasterPostOpGasLimit: paymaster === null ? null : String(paymaster.postOpGasLimit),
    paymasterVerificationGasLimit: paymaster === null ? null : String(paymaster.verificationGasLimit),
    callData: operation.callData,
    entryPoint: operation.entryPoint,
    expiresAt: DateTime.formatIso(quote.expiresAt),
    projectId: project.id,
    organizationId: project.organizationId,
    id: operationId(intent.hash),
    userOperationHash: intent.hash,
    hash: intent.hash,
    transactionId: execution?.id ?? null,
    signData: signDataBody(quote.intents)
  }
}
