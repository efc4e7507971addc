import { amountText, coinText, listedTokens, operationId } from "@countersign/adapters/wire"
import { type KnownOperation, UserOperations } from "@countersign/core/executions"
import { type SignData, signatureOf } from "@countersign/core/signing"
import { TokenCatalog } from "@countersign/core/tokens"
import { DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"
import { hashArgument } from "./sign.ts"

/** The owner's acceptance; null while there is none. */
const submissionOf = ({ execution, intent: { signData } }: KnownOperation) => {
  if (execution === null) return null
  const { acceptedAt, estimatedExecutionTime, id, signatures } = execution
  const signatureOfType = (requestedType: SignData["type"]) => {
    const signDatum = signData.find(({ type }) => type === requestedType)
    return signDatum === undefined ? null : signatureOf(signatures, signDatum)
  }
  return {
    signature: signatureOfType("USER_OPERATION"),
    authorizationSignature: signatureOfType("AUTHORIZATION"),
    transactionId: id,
    submittedAt: acceptedAt,
    estimatedExecutionTime
  }
}

const recordOf = (knownOperation: KnownOperation, maxGasFeeToken: string) => {
  const { intent, quote } = knownOperation
  return {
    id: operationId(intent.hash),
    quoteId: quote.id,
    projectId: quote.projectId,
    hash: intent.hash,
    account: intent.account,
    operation: intent.operation,
    chainIdIn: quote.transaction.chainIdIn,
    chainIdOut: quote.transaction.chainIdOut,
    payGasFeeToken: intent.gas.token,
    maxGasFeeNative: coinText(intent.gas.maxWei),
    maxGasFeeToken,
    signData: intent.signData,
    revertReason: quote.revertReason,
    metadata: quote.metadata,
    createdAt: quote.createdAt,
    expiresAt: quote.expiresAt,
    transaction: quote.transaction,
    submission: submissionOf(knownOperation)
  }
}

const show = Command.make(
  "show",
  { hash: hashArgument, project: projectFlag, json: jsonFlag },
  ({ hash, json, project }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const knownOperation = yield* (yield* UserOperations).get(id, hash)
        const { gas, operation } = knownOperation.intent
        const find = yield* listedTokens(yield* TokenCatalog, [{ chainId: operation.chainId, address: gas.token }])
        const record = recordOf(knownOperation, amountText(gas.maxToken, find(operation.chainId, gas.token)))
        const { submission } = record
        yield* print(json, record, () =>
          card([
            ["user operation", record.hash],
            ["sender", operation.sender],
            ["owner", record.account.owner],
            ["account", record.account.kind],
            ["chain", operation.chainId],
            ["nonce", String(operation.nonce)],
            ["deploys", operation.factory === null ? "no" : `yes, by ${operation.factory}`],
            ["paymaster", operation.paymaster?.address ?? null],
            ["gas at most", `${record.maxGasFeeNative} coin, ${record.maxGasFeeToken} of ${record.payGasFeeToken}`],
            ["expires", DateTime.formatIso(record.expiresAt)],
            ["submitted", submission === null ? null : DateTime.formatIso(submission.submittedAt)],
            ["transaction", submission?.transactionId ?? null],
            ["would revert", record.revertReason?.decoded ?? "no"]
          ])
        )
      })
    )
).pipe(Command.withDescription("Show a prepared operation"))

export const userOperation = Command.make("user-operation").pipe(Command.withSubcommands([show]))
