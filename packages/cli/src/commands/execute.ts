import { endpoints, transactionBodies } from "@countersign/adapters/endpoints"
import { LinkBase } from "@countersign/adapters/wire"
import { Acceptances } from "@countersign/core/executions"
import { endings, HistoryStore, transactionHashOf } from "@countersign/core/history"
import { HexBytes } from "@countersign/core/primitives"
import { signDataOf } from "@countersign/core/quotes"
import type { Signatures } from "@countersign/core/signing"
import { Effect, Option, Schedule } from "effect"
import { Command, Flag } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { linkBase } from "../environment/linkBase.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { quoteArgument } from "../input/quoteId.ts"
import { inLowerCase, readAs, readAsSignatures } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

/** The signature that is given by itself, under the hash of the only element. */
const ofOnlyElement = Effect.fnUntraced(function* (
  { quote }: { readonly quote: Parameters<typeof signDataOf>[0] },
  signature: string
) {
  const [element, ...others] = signDataOf(quote)
  if (element !== undefined && others.length === 0) return { [element.hash]: HexBytes.make(signature) }
  const count = element === undefined ? "no signature" : `${others.length + 1} signatures`
  return yield* new Refused({
    reason: `The quote asks for ${count}. Give each with --signatures HASH=SIGNATURE, as \`countersign sign\` prints them.`
  })
})

export const execute = Command.make(
  "execute",
  {
    quote: quoteArgument,
    signature: Flag.String("signature").pipe(
      Flag.withDescription("What the owner signed, where the quote asks for one signature"),
      readAs(inLowerCase(HexBytes)),
      Flag.optional
    ),
    signatures: Flag.KeyValuePair("signatures").pipe(
      Flag.withDescription("HASH=SIGNATURE: what the owner signed of one element, where the quote asks for several"),
      readAsSignatures,
      Flag.optional
    ),
    wait: Flag.Boolean("wait").pipe(
      Flag.withDescription("Wait until the transaction has ended"),
      Flag.withDefault(false)
    ),
    project: projectFlag,
    json: jsonFlag
  },
  (input) =>
    withServices(
      Effect.gen(function* () {
        const project = yield* chosenProject(input.project)
        const known = yield* (yield* Acceptances).get(project.id, input.quote)
        const signatures: Signatures = {
          ...Option.getOrElse(input.signatures, () => ({})),
          ...(Option.isNone(input.signature) ? {} : yield* ofOnlyElement(known, input.signature.value))
        }
        const execution = yield* endpoints.execute.run({
          project,
          params: {},
          query: {},
          payload: { quoteId: input.quote, signatures }
        })
        const store = yield* HistoryStore
        const look = Effect.map(store.find(project.id, execution.transactionId), Option.getOrThrow)
        const transaction = input.wait
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
        const [body] = yield* Effect.provideService(transactionBodies([transaction]), LinkBase, yield* linkBase)
        yield* print(input.json, { ...execution, status, transaction: body }, () =>
          card([
            ["transaction", execution.transactionId],
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
    { command: "countersign execute 0x… --signature 0x… --wait", description: "Execute, and wait until it has ended" }
  ])
)
