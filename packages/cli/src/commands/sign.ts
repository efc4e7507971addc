import { Acceptances } from "@countersign/core/executions"
import { HexBytes } from "@countersign/core/primitives"
import { signDataOf } from "@countersign/core/quotes"
import type { SignData } from "@countersign/core/signing"
import { signerOf, Wallets } from "@countersign/core/wallets"
import { Effect } from "effect"
import { Command } from "effect/cli"
import { withServices } from "../environment/connect.ts"
import { Refused } from "../environment/errors.ts"
import { loadSandbox } from "../environment/loadSandbox.ts"
import { chosenProject, projectFlag } from "../environment/project.ts"
import { runningSandbox } from "../environment/runningSandbox.ts"
import { quoteArgument } from "../input/quoteId.ts"
import { jsonFlag, print } from "../output/print.ts"
import { card } from "../output/table.ts"

/** How a signature is passed on: by itself where it is the only one, else under the hash of its element. */
const flagsOf = (signatures: ReadonlyArray<readonly [string, HexBytes]>): ReadonlyArray<string> =>
  signatures.length === 1
    ? [`--signature ${signatures[0]![1]}`]
    : signatures.map(([hash, signature]) => `--signatures ${hash}=${signature}`)

export const sign = Command.make(
  "sign",
  { quote: quoteArgument, project: projectFlag, json: jsonFlag },
  ({ json, project, quote: quoteId }) =>
    Effect.gen(function* () {
      yield* runningSandbox
      yield* withServices(
        Effect.gen(function* () {
          const { SandboxSigners, sandboxKeys, signAs } = yield* loadSandbox
          const signers = yield* SandboxSigners
          const { id } = yield* chosenProject(project)
          const { quote } = yield* (yield* Acceptances).get(id, quoteId)
          const signer = signerOf(yield* (yield* Wallets).require(id, quote.walletAddress))

          const signed = Effect.fnUntraced(function* (element: SignData) {
            const ofMethod = signers.get(element.method)
            if (ofMethod !== undefined) return yield* ofMethod(element, quote.walletAddress)
            const owner = sandboxKeys().owners.find(({ address }) => address === signer)
            return owner === undefined
              ? yield* new Refused({
                  reason: `${signer} is no owner of the sandbox. The service holds no owner's key: sign with the wallet that does.`
                })
              : yield* signAs(HexBytes.make(owner.privateKey), element)
          })
          const signatures = yield* Effect.forEach(signDataOf(quote), (element) =>
            Effect.map(signed(element), (signature) => [element.hash, signature] as const)
          )
          const body = {
            quoteId,
            /** The only signature; null where there are several. */
            signature: signatures.length === 1 ? signatures[0]![1] : null,
            signatures: Object.fromEntries(signatures)
          }
          yield* print(json, body, () =>
            card([
              ...signatures.map(([hash, signature]) => [`signature of ${hash}`, signature] as const),
              ["next", ["countersign execute", quoteId, ...flagsOf(signatures)].join(" ")]
            ])
          )
        })
      )
    })
).pipe(
  Command.withExamples([
    { command: "countersign sign 0x…", description: "The quote that `countersign swap quote` has named" }
  ])
)
