import { HexBytes } from "@countersign/core/foundation/primitives"
import type { Signatures } from "@countersign/core/foundation/signing"
import { Acceptances } from "@countersign/core/operations/executions"
import { signDataOf } from "@countersign/core/operations/quotes"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { callEndpoint } from "../environment/ask.ts"
import { withServices } from "../environment/connect.ts"
import { CommandRefused } from "../environment/errors.ts"
import { projectFlag, resolveProject } from "../environment/project.ts"
import { waitUntilEnded } from "../environment/waitUntilEnded.ts"
import { quoteArgument } from "../input/quoteId.ts"
import { inLowerCase, readAs, readAsSignatures } from "../input/readAs.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

/** Returns the signatures of a quote with a single element, keyed by the element's hash. */
const onlySignature = Effect.fnUntraced(function* (
  { quote }: { readonly quote: Parameters<typeof signDataOf>[0] },
  signature: string
) {
  const [element, ...others] = signDataOf(quote)
  if (element !== undefined && others.length === 0) return { [element.hash]: HexBytes.make(signature) }
  const count = element === undefined ? "no signature" : `${others.length + 1} signatures`
  return yield* new CommandRefused({
    reason: `The quote needs ${count}. Pass each with --signatures HASH=SIGNATURE, as \`countersign sign\` prints them.`
  })
})

export const execute = Command.make(
  "execute",
  {
    quote: quoteArgument,
    signature: Flag.String("signature").pipe(
      Flag.withDescription("Signature of the owner, if the quote needs only one"),
      readAs(inLowerCase(HexBytes)),
      Flag.optional
    ),
    signatures: Flag.KeyValuePair("signatures").pipe(
      Flag.withDescription(
        "HASH=SIGNATURE: the owner's signature of the element with this hash, if the quote has several elements; may be repeated"
      ),
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
        const project = yield* resolveProject(input.project)
        const knownQuote = yield* (yield* Acceptances).get(project.id, input.quote)
        const signatures: Signatures = {
          ...Option.getOrElse(input.signatures, () => ({})),
          ...(Option.isNone(input.signature) ? {} : yield* onlySignature(knownQuote, input.signature.value))
        }
        const execution = yield* callEndpoint(({ executions }) => executions.execute, input.project, {
          payload: { quoteId: input.quote, signatures }
        })
        if (input.wait) yield* waitUntilEnded(project.id, execution.transactionId)
        const { transaction } = yield* callEndpoint(({ history }) => history.get, input.project, {
          params: { transactionId: execution.transactionId }
        })
        const { failure, status } = transaction
        yield* print(input.json, { ...execution, status, transaction }, () =>
          card([
            ["transaction", execution.transactionId],
            ["status", status],
            ["on chain", transaction.transactionHash?.hash ?? null],
            ...(failure === null ? [] : [["failure", failure.message] as const])
          ])
        )
        if (status === "FAILED") {
          return yield* new CommandRefused({
            reason: `The operation failed: ${failure?.message ?? "the reason is unknown"}`
          })
        }
      })
    )
).pipe(
  Command.withExamples([
    {
      command: "countersign execute 0x… --signature 0x… --wait",
      description: "Execute, and wait until the transaction has ended"
    }
  ])
)
