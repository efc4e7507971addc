import type { ChainId } from "@countersign/core/foundation/chains"
import { Effect, FileSystem, Option, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { CommandRefused } from "../environment/errors.ts"
import { projectFlag } from "../environment/project.ts"
import { walletFlag } from "../input/address.ts"
import { namedChainFlag } from "../input/chain.ts"
import { gasRow, printPrepared } from "../output/preparedCard.ts"
import { jsonFlag } from "../output/print.ts"

const readJson = Schema.decodeUnknownEffect(
  Schema.fromJsonString(Schema.Union([Schema.Array(Schema.Unknown), Schema.Record(Schema.String, Schema.Unknown)]))
)

/** Reads the request from a file. The file contains the body of the API request, or only its operations. */
const readRequest = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* Effect.mapError(
    files.readFileString(path),
    () =>
      new CommandRefused({ reason: `${path} can't be read. Specify the path of a JSON file that contains the batch.` })
  )
  const json = yield* Effect.mapError(
    readJson(text),
    () =>
      new CommandRefused({
        reason: `${path} does not contain a JSON array of operations, or an object with the field operations.`
      })
  )
  return Array.isArray(json) ? { operations: json } : json
})

export const batch = Command.make(
  "batch",
  {
    file: Argument.String("file").pipe(
      Argument.withDescription("JSON file with the API request, or only its array of operations")
    ),
    wallet: walletFlag("wallet").pipe(
      Flag.withDescription("Address of the registered wallet, instead of the one in the file"),
      Flag.optional
    ),
    chain: namedChainFlag.pipe(
      Flag.withDescription(
        "Chain of the batch, instead of the one in the file: id, or the beginning of the name. Ethereum if both are missing"
      ),
      Flag.optional
    ),
    project: projectFlag,
    json: jsonFlag
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const payload: { readonly chainId: unknown } = {
          chainId: 1,
          ...(yield* readRequest(input.file)),
          ...Option.match(input.wallet, { onNone: () => ({}), onSome: (walletAddress) => ({ walletAddress }) }),
          ...Option.match(input.chain, { onNone: () => ({}), onSome: (chainId) => ({ chainId }) })
        }
        const quote = yield* callEndpoint(({ batch }) => batch.quote, input.project, { payload })
        const chain = payload.chainId as ChainId
        yield* printPrepared({ chain, json: input.json }, quote, [quote], (body, symbolOf) => [
          ["operations", body.operations.length],
          gasRow(body, symbolOf)
        ])
      })
    )
).pipe(
  Command.withExamples([
    {
      command: "countersign batch payouts.json --wallet 0x…",
      description: "Quote all operations of a file as one user operation"
    }
  ])
)
