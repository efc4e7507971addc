import { UserOperations } from "@countersign/core/executions"
import { isUserOperation } from "@countersign/core/intents"
import { Hash32, HexBytes } from "@countersign/core/primitives"
import type { SignData } from "@countersign/core/signing"
import { Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { loadSandbox } from "../environment/loadSandbox.ts"
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
          const { sandboxKeys, signAs } = yield* loadSandbox
          const { id } = yield* chosenProject(project)
          const { intent, quote } = yield* (yield* UserOperations).get(id, hash)
          const { account } = intent
          const owner = sandboxKeys().owners.find(({ address }) => address === account.owner)
          if (owner === undefined) {
            return yield* new Refused({
              reason: `${account.owner} is no owner of the sandbox. The service holds no owner's key: sign with the wallet that does.`
            })
          }
          const elements = quote.intents.filter(isUserOperation).flatMap(({ signData }) => signData)
          const signed = yield* Effect.forEach(elements, (element) =>
            Effect.map(signAs(HexBytes.make(owner.privateKey), element), (signature) => ({ element, signature }))
          )
          const isAsked = ({ hash: elementHash }: SignData) =>
            intent.signData.some((asked) => asked.hash === elementHash)
          const authorization = signed.find(({ element }) => element.type === "AUTHORIZATION")?.signature ?? null
          const operations = signed.filter(({ element }) => element.type !== "AUTHORIZATION")
          const signature = operations.find(({ element }) => isAsked(element))?.signature ?? null
          const others = operations.filter(({ element }) => !isAsked(element))
          const signatures = Object.fromEntries(others.map(({ element, signature: other }) => [element.hash, other]))
          const next = [
            `countersign execute ${hash} --signature ${signature}`,
            ...(authorization === null ? [] : [`--authorization ${authorization}`]),
            ...others.map(({ element, signature: other }) => `--signatures ${element.hash}=${other}`)
          ].join(" ")
          yield* print(json, { userOperationHash: hash, signature, authorization, signatures }, () =>
            card([
              ["signature", signature],
              ...(authorization === null ? [] : [["authorization", authorization] as const]),
              ...others.map(({ element, signature: other }) => [`signature of ${element.hash}`, other] as const),
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
