import { UserOperations } from "@countersign/core/executions"
import { Hash32, HexBytes } from "@countersign/core/primitives"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { runningSandbox } from "../environment/runningSandbox.ts"
import { inLowerCase, readAs } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

export const hashArgument = Argument.String("hash").pipe(
  Argument.withDescription("Hash of the user operation, as its quote gives it"),
  readAs(inLowerCase(Hash32))
)

export const sign = Command.make(
  "sign",
  { hash: hashArgument, project: projectFlag, json: jsonFlag },
  ({ hash, json, project }) =>
    Effect.gen(function* () {
      yield* runningSandbox
      yield* withServices(
        Effect.gen(function* () {
          const { sandboxKeys, signAs } = yield* Effect.promise(() => import("@countersign/adapters/sandbox"))
          const { id } = yield* chosenProject(project)
          const { account, signData } = (yield* (yield* UserOperations).get(id, hash)).intent
          const owner = sandboxKeys().owners.find(({ address }) => address === account.owner)
          if (owner === undefined) {
            return yield* new Refused({
              reason: `${account.owner} is no owner of the sandbox. The service holds no owner's key: sign with the wallet that does.`
            })
          }
          const signatures = yield* Effect.forEach(signData, (signDatum) =>
            Effect.map(signAs(HexBytes.make(owner.privateKey), signDatum), (signature) => ({
              type: signDatum.type,
              signature
            }))
          )
          const signature = signatures.find(({ type }) => type !== "AUTHORIZATION")?.signature ?? null
          const authorization = signatures.find(({ type }) => type === "AUTHORIZATION")?.signature ?? null
          const next = `countersign execute ${hash} --signature ${signature}${authorization === null ? "" : ` --authorization ${authorization}`}`
          yield* print(json, { userOperationHash: hash, signature, authorization }, () =>
            card([
              ["signature", signature],
              ...(authorization === null ? [] : [["authorization", authorization] as const]),
              ["next", next]
            ])
          )
        })
      )
    })
).pipe(
  Command.withExamples([
    { command: "countersign sign 0x…", description: "The operation that `countersign swap quote` has named" }
  ])
)
