import type { SandboxFile } from "@countersign/adapters/home"
import { signAs } from "@countersign/adapters/sandbox"
import { Hash32, HexBytes } from "@countersign/core/primitives"
import { Effect } from "effect"
import type { Prepared, SignDatum, TypedData } from "./answers.ts"
import { DemoFailed } from "./DemoFailed.ts"
import { say, shorten, show, title } from "./narrate.ts"

const textOf = (value: unknown) => shorten(typeof value === "string" ? value : JSON.stringify(value))

const fieldsOf = (record: Readonly<Record<string, unknown>>) =>
  Object.entries(record).map(([name, value]) => [name, textOf(value)] as const)

const showTypedData = Effect.fnUntraced(function* ({ domain, message, primaryType }: TypedData) {
  yield* say("")
  yield* say("The hash is the digest of this typed data, as any wallet shows and computes it. Its domain:")
  yield* show(fieldsOf(domain))
  yield* say(`Its message, a ${primaryType}:`)
  yield* show(fieldsOf(message))
})

/** The element to sign for the whole operation. The service may ask for an operation before it, which only allows gas. */
export const operationToSign = Effect.fnUntraced(function* ({ revertReason, signData }: Prepared) {
  if (revertReason !== undefined) {
    return yield* new DemoFailed({ reason: `The quote can't be executed: ${revertReason.decoded}` })
  }
  const signDatum = signData.findLast(({ type }) => type === "USER_OPERATION")
  return signDatum ?? (yield* new DemoFailed({ reason: "The quote asks for no signature." }))
})

export const showCalls = Effect.fnUntraced(function* ({ preview }: Prepared) {
  yield* say("The calls that the wallet will make, in this order:")
  yield* Effect.forEach(preview.calls, ({ summary }, i) => say(`  ${i + 1}) ${summary}`))
})

/** Shows what the owner signs, and answers the element to sign. */
export const showOperationToSign = Effect.fnUntraced(function* (quote: Prepared) {
  yield* title(4, "Look at what is to be signed")
  yield* showCalls(quote)
  const signDatum = yield* operationToSign(quote)
  yield* say("")
  yield* say("Sign this for the whole operation:")
  yield* show([
    ["type", signDatum.type],
    ["method", signDatum.method],
    ["hash", signDatum.hash]
  ])
  if (signDatum.typedData !== undefined) yield* showTypedData(signDatum.typedData)
  return signDatum
})

/** Signs as a demonstration owner. The service never holds an owner's key: this is what the owner's wallet does. */
export const signAsOwner = (owner: SandboxFile["owners"][number], { hash, method }: SignDatum) =>
  signAs(HexBytes.make(owner.privateKey), { method, hash: Hash32.make(hash) })

/** The owner's signatures of the operations before the one that the quote is known by, as the service takes them. */
export const signOthers = Effect.fnUntraced(function* (owner: SandboxFile["owners"][number], { signData }: Prepared) {
  const operations = signData.filter(({ type }) => type === "USER_OPERATION").slice(0, -1)
  const pairs = yield* Effect.forEach(operations, (signDatum) =>
    Effect.map(signAsOwner(owner, signDatum), (signature) => [signDatum.hash, signature] as const)
  )
  return pairs.length === 0 ? {} : { signatures: Object.fromEntries(pairs) }
})

export const showSigning = Effect.fnUntraced(function* (owner: SandboxFile["owners"][number], signDatum: SignDatum) {
  yield* title(5, "Sign it, with the owner's key and outside the service")
  const signature = yield* signAsOwner(owner, signDatum)
  yield* show([
    ["signer", owner.address],
    ["signature", shorten(signature)]
  ])
  return signature
})
