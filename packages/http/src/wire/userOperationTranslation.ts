import type { Project } from "@countersign/core/projects"
import type { OperationRecord } from "@countersign/core/user-operations"
import { DateTime } from "effect"
import { type BaseUrl, chainBody } from "./links.ts"

export const userOperationBody = (base: BaseUrl, project: Project, record: OperationRecord) => {
  const { account, operation } = record
  const { paymaster } = operation
  return {
    metadata: record.metadata,
    ...(record.revertReason === null ? {} : { revertReason: record.revertReason }),
    ...(operation.authorization === null ? {} : { authorization: operation.authorization }),
    chainIn: chainBody(base, record.chainIdIn),
    chainOut: chainBody(base, record.chainIdOut),
    chainIdIn: record.chainIdIn,
    chainIdOut: record.chainIdOut,
    sender: {
      walletAddress: account.address,
      accountAbstraction: account.address,
      externallyOwnedAccount: account.owner
    },
    nonce: String(operation.nonce),
    signature: record.submission?.signature ?? null,
    callGasLimit: String(operation.callGasLimit),
    verificationGasLimit: String(operation.verificationGasLimit),
    preVerificationGas: String(operation.preVerificationGas),
    maxFeePerGas: String(operation.maxFeePerGas),
    maxPriorityFeePerGas: String(operation.maxPriorityFeePerGas),
    maxGasFeeNative: record.maxGasFeeNative,
    maxGasFeeToken: record.maxGasFeeToken,
    payFeesToken: record.payGasFeeToken,
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
    expiresAt: DateTime.formatIso(record.expiresAt),
    projectId: project.id,
    organizationId: project.organizationId,
    id: record.id,
    userOperationHash: record.hash,
    hash: record.hash,
    transactionId: record.submission?.transactionId ?? null,
    signData: record.signData
  }
}
