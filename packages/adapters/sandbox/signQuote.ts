import { BadRequest } from "@countersign/core/foundation/errors"
import { HexBytes } from "@countersign/core/foundation/primitives"
import type { SignData } from "@countersign/core/foundation/signing"
import { Acceptances } from "@countersign/core/operations/executions"
import { signDataOf } from "@countersign/core/operations/quotes"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { signerOf, Wallets } from "@countersign/core/wallets/registry"
import { Effect } from "effect"
import { exampleBitcoinKeys, sandboxBitcoinKeys } from "./bitcoin/bitcoinKeys.ts"
import { signPsbt } from "./bitcoin/signPsbt.ts"
import { sandboxKeys } from "./keys.ts"
import { SandboxSigners, signAs } from "./signAs.ts"

/** Signs a quote as its demonstration owner. Returns the request body of `execute`. */
export const signQuote = Effect.fnUntraced(function* (projectId: ProjectId, quoteId: string) {
  const signers = yield* SandboxSigners
  const { quote } = yield* (yield* Acceptances).get(projectId, quoteId)
  const ownerAddress = signerOf(yield* (yield* Wallets).require(projectId, quote.walletAddress))

  const signElement = Effect.fnUntraced(function* (element: SignData) {
    const bitcoinKeys = [...sandboxBitcoinKeys(), ...Object.values(exampleBitcoinKeys())]
    const bitcoinKey = bitcoinKeys.find(({ address }) => address === quote.walletAddress)
    if (element.psbt !== undefined && bitcoinKey !== undefined) return signPsbt(bitcoinKey, element.psbt)
    const methodSigner = signers.get(element.method)
    if (methodSigner !== undefined) return yield* methodSigner(element, quote.walletAddress)
    const owner = sandboxKeys().owners.find(({ address }) => address === ownerAddress)
    if (owner !== undefined) return yield* signAs(HexBytes.make(owner.privateKey), element)
    return yield* BadRequest.of(
      "quoteId",
      "not_an_owner_of_the_sandbox",
      `${ownerAddress} is not a demonstration owner of the sandbox, and the service has no other owner's key. Sign with the owner's wallet.`
    )
  })
  const signatures = yield* Effect.forEach(signDataOf(quote), (element) =>
    Effect.map(signElement(element), (signature) => [element.hash, signature] as const)
  )
  return { quoteId, signatures: Object.fromEntries(signatures) }
})
