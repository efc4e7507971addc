import { Explorers, historyBody, movedTokens } from "@countersign/adapters/wire"
import { UserOperations } from "@countersign/core/executions"
import { endings, HistoryStore, transactionHashOf } from "@countersign/core/history"
import { HexBytes } from "@countersign/core/primitives"
import { FiatRates, TokenCatalog } from "@countersign/core/tokens"
import { DateTime, Effect, Option, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { linkBase } from "../environment/linkBase.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { inLowerCase, readAs, readAsSignatures } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"
import { hashArgument } from "./sign.ts"

export const execute = Command.make(
  "execute",
  {
    hash: hashArgument,
    signature: Flag.String("signature").pipe(
      Flag.withDescription("The owner's 65-byte signature"),
      readAs(inLowerCase(HexBytes))
    ),
    authorization: Flag.String("authorization").pipe(
      Flag.withDescription("The owner's signature of the EIP-7702 authorization, where the quote asks for one"),
      readAs(inLowerCase(HexBytes)),
      Flag.optional
    ),
    signatures: Flag.KeyValuePair("signatures").pipe(
      Flag.withDescription("HASH=SIGNATURE: the owner's signature of another element that the quote asks for"),
      readAsSignatures,
      Flag.optional
    ),
    wait: Flag.Boolean("wait").pipe(
      Flag.withDescription("Wait until the chain has settled it"),
      Flag.withDefault(false)
    ),
    project: projectFlag,
    json: jsonFlag
  },
  ({ authorization, hash, json, project, signature, signatures, wait }) =>
    withServices(
      Effect.gen(function* () {
        const { id } = yield* chosenProject(project)
        const execution = yield* (yield* UserOperations).execute(id, {
          hash,
          signature: HexBytes.make(signature),
          authorization: Option.getOrNull(authorization),
          signatures: Option.getOrElse(signatures, () => ({}))
        })
        const store = yield* HistoryStore
        const look = Effect.map(store.find(id, execution.id), Option.getOrThrow)
        const transaction = wait
          ? yield* look.pipe(
              Effect.repeat({
                schedule: Schedule.spaced("100 millis"),
                until: ({ status }) => endings.has(status)
              }),
              Effect.timeoutOrElse({
                duration: "2 minutes",
                orElse: () =>
                  Effect.fail(
                    new Refused({
                      reason: "Not settled after two minutes; `countersign doctor` tells what it waits for."
                    })
                  )
              })
            )
          : yield* look
        const { failure, status } = transaction
        const find = yield* movedTokens(yield* TokenCatalog, [transaction])
        const rates = yield* (yield* FiatRates).perUsdE18
        const result = {
          userOperationHash: hash,
          transactionId: execution.id,
          estimatedExecutionTime: DateTime.formatIso(execution.estimatedExecutionTime),
          transaction: historyBody(yield* linkBase, transaction, find, rates, yield* Explorers)
        }
        yield* print(json, result, () =>
          card([
            ["transaction", execution.id],
            ["status", status],
            ["on chain", transactionHashOf(transaction)?.hash ?? null],
            ...(failure === null ? [] : [["failure", failure.message] as const])
          ])
        )
        if (status === "FAILED") {
          return yield* new Refused({ reason: `The operation failed: ${failure?.message ?? "no reason known"}` })
        }
      })
    )
).pipe(
  Command.withExamples([
    { command: "countersign execute 0x… --signature 0x… --wait", description: "Execute, and wait until a block has it" }
  ])
)
