import { batchBody } from "@countersign/adapters/wire"
import { Batches, BatchRequest } from "@countersign/core/batch"
import { Effect, FileSystem, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { walletFlag } from "../input/address.ts"
import { namedChainFlag } from "../input/chain.ts"
import { requestOf } from "../input/requestOf.ts"
import { preparedRows, requireExecutable } from "../output/prepared.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

const batchRequestOf = requestOf(BatchRequest)

const readJson = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Union([Schema.Array(Schema.Unknown), Schema.Record(Schema.String, Schema.Unknown)]))
)

/** The file's request: the body that the API takes, or its operations alone. */
const requestIn = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    files.readFileString(path),
    () => new Refused({ reason: `${path} can't be read. Give the path of a JSON file with the batch.` })
  )
  const json = yield* Effect.mapError(
    readJson(text),
    () => new Refused({ reason: `${path} holds no JSON array of operations, and no object with them.` })
  )
  return Array.isArray(json) ? { operations: json } : json
})

export const batch = Command.make(
  "batch",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("A JSON file: the request as the API takes it, or its array of operations alone")
    ),
    wallet: walletFlag("wallet").pipe(
      Flag.withDescription("Address of the registered wallet, where the file does not name it"),
      Flag.optional
    ),
    chain: namedChainFlag.pipe(
      Flag.withDescription("Chain of the batch, where the file does not name it: id, or the beginning of its name"),
      Flag.optional
    ),
    project: projectFlag,
    json: jsonFlag
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const project = yield* chosenProject(input.project)
        const request = yield* batchRequestOf({
          chainId: 1,
          ...(yield* requestIn(input.file)),
          ...Option.match(input.wallet, { onNone: () => ({}), onSome: (walletAddress) => ({ walletAddress }) }),
          ...Option.match(input.chain, { onNone: () => ({}), onSome: (chainId) => ({ chainId }) })
        })
        const batchQuote = yield* (yield* Batches).quote(project, request)
        const body = batchBody(batchQuote)
        const { gasFeeTokenAmount, maxGasFeeToken } = body.estimatedGasFees
        const { symbol } = batchQuote.content.payGasFeeToken
        yield* print(input.json, body, () =>
          card([
            ["user operation", body.userOperationHash],
            ["operations", body.operations.length],
            ["gas", `about ${gasFeeTokenAmount} ${symbol}, at most ${maxGasFeeToken}`],
            ...preparedRows(batchQuote.quote, body)
          ])
        )
        yield* requireExecutable([batchQuote.quote])
      })
    )
).pipe(
  Command.withExamples([
    {
      command: "countersign batch payouts.json --wallet 0x…",
      description: "All operations of a file in one user operation"
    }
  ])
)
