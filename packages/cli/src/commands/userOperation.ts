import { UserOperations } from "@countersign/core/user-operations"
import { DateTime, Effect } from "effect"
import { Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"
import { hashArgument } from "./sign.ts"

const show = Command.make(
  "show",
  { hash: hashArgument, project: projectFlag, json: jsonFlag },
  ({ hash, json, project }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const record = yield* (yield* UserOperations).get(id, hash)
        const { operation, submission } = record
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
