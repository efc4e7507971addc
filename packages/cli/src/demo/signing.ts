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
const operationToSign = Effect.fnUntraced(function* ({ signData }: Prepared) {
  const signDatum = signData.findLast(({ type }) => type === "USER_OPERATION")
  return signDatum ?? (yield* new DemoFailed({ reason: "The quote asks for no signature." }))
})

/** A quote that would revert is not signed. */
export const requireExecutable = ({ revertReason }: Prepared): Effect.Effect<void, DemoFailed> =>
  revertReason === undefined
    ? Effect.void
    : Effect.fail(new DemoFailed({ reason: `The quote can't be executed: ${revertReason.decoded}` }))

export const showCalls = Effect.fnUntraced(function* ({ preview }: Prepared) {
  yield* say("The calls that the wallet will make, in this order:")
  yield* Effect.forEach(preview.calls, ({ summary }, i) => say(`  ${i + 1}) ${summary}`))
})

/** Shows what the owner signs. */
export const showOperationToSign = Effect.fnUntraced(function* (quote: Prepared) {
  yield* title(4, "Look at what is to be signed")
  yield* requireExecutable(quote)
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
})

/** Signs as a demonstration owner. The service never holds an owner's key: this is what the owner's wallet does. */
export const signAsOwner = (owner: SandboxFile["owners"][number], { hash, method }: SignDatum) =>
  signAs(HexBytes.make(owner.privateKey), { method, hash: Hash32.make(hash) })

/** Signs every element of a quote: the signatures as the service takes them, each under the hash of its element. */
export const signAll = Effect.fnUntraced(function* (owner: SandboxFile["owners"][number], { signData }: Prepared) {
  const pairs = yield* Effect.forEach(signData, (signDatum) =>
    Effect.map(signAsOwner(owner, signDatum), (signature) => [signDatum.hash, signature] as const)
  )
  return Object.fromEntries(pairs)
})

export const showSigning = Effect.fnUntraced(function* (owner: SandboxFile["owners"][number], quote: Prepared) {
  yield* title(5, "Sign it, with the owner's key and outside the service")
  const signatures = yield* signAll(owner, quote)
  yield* show([
    ["signer", owner.address],
    ...Object.entries(signatures).map(([hash, signature]) => [shorten(hash), shorten(signature)] as const)
  ])
  return signatures
})
