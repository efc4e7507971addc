import type { ChainId } from "@countersign/core/foundation/chains"
import { Hash32, NATIVE_TOKEN } from "@countersign/core/foundation/primitives"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { projectFlag } from "../environment/project.ts"
import { inLowerCase, readAs } from "../input/readAs.ts"
import { symbolsOn } from "../input/token.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

const hashArgument = Argument.String("hash").pipe(
  Argument.withDescription("Hash of the user operation, from the quote"),
  readAs(inLowerCase(Hash32))
)

const show = Command.make(
  "show",
  { hash: hashArgument, project: projectFlag, json: jsonFlag },
  ({ hash, json, project }) =>
    withServices(
      Effect.gen(function* () {
        const response = yield* callEndpoint(({ userOperations }) => userOperations.get, project, {
          params: { userOperationHash: hash }
        })
        const { userOperation: body } = response
        const symbolOf = yield* symbolsOn(body.chainIdIn as ChainId)
        yield* print(json, response, () =>
          card([
            ["user operation", body.hash],
            ["sender", body.sender.walletAddress],
            ["owner", body.sender.externallyOwnedAccount],
            ["chain", `${body.chainIn.name} (${body.chainIdIn})`],
            ["nonce", body.nonce],
            ["deploys", body.factory.address === null ? "no" : `yes, by ${body.factory.address}`],
            ["paymaster", body.paymaster],
            [
              "gas at most",
              `${body.maxGasFeeNative} ${symbolOf(NATIVE_TOKEN)}, ${body.maxGasFeeToken} ${symbolOf(body.payFeesToken)}`
            ],
            ["expires", body.expiresAt],
            ["transaction", body.transactionId],
            ["would revert", body.revertReason?.decoded ?? "no"]
          ])
        )
      })
    )
).pipe(Command.withDescription("Show a user operation"))

export const userOperation = Command.make("user-operation").pipe(Command.withSubcommands([show]))
