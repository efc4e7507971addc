import { assert, layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { aDraft, aMovement } from "../../accounting/history/Transaction.fixture.ts"
import { aBitcoinAddress, aHash, anAddress, at } from "../../foundation/primitives/ids.fixture.ts"
import { HexBytes, MAX_UINT256 } from "../../foundation/primitives/index.ts"
import { awkwardMetadata } from "../../foundation/primitives/metadata.fixture.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import type { UserOperationIntent } from "../intents/index.ts"
import { anOperationIntent, aQuote, aUserOperation } from "./Quote.fixture.ts"
import type { Quote } from "./Quote.ts"
import { QuoteExists, QuoteStore } from "./QuoteStore.ts"

export { anOperationIntent, aQuote, aUserOperation } from "./Quote.fixture.ts"

/** Creates an intent with every field set, and with numbers that exceed the precision of a float. */
const aFullIntent = (): UserOperationIntent => {
  const hash = aHash()
  return anOperationIntent({
    hash,
    operation: aUserOperation({
      nonce: MAX_UINT256,
      factory: "0x7702",
      factoryData: HexBytes.make("0x"),
      callData: HexBytes.make(`0x${"ab".repeat(20_000)}`),
      maxFeePerGas: 2n ** 53n + 1n,
      paymaster: {
        address: anAddress(),
        verificationGasLimit: 2n ** 64n + 1n,
        postOpGasLimit: 0n,
        data: HexBytes.make("0xff")
      },
      authorization: { chainId: 137, address: anAddress(), nonce: 7, hash: aHash() }
    }),
    gas: {
      token: anAddress(),
      maxWei: MAX_UINT256,
      maxToken: 2n ** 53n + 1n,
      expectedToken: 0n,
      unpaidWei: 0n,
      isFirstUse: false
    },
    signData: [
      {
        type: "USER_OPERATION",
        method: "eth_signTypedData_v4",
        hash,
        typedData: {
          domain: { name: "Domain", version: "1", chainId: 137, verifyingContract: anAddress() },
          types: { Message: [{ name: "amount", type: "uint256" }] },
          primaryType: "Message",
          message: { amount: MAX_UINT256.toString(), nested: { list: ["0x", 1, null, true], text: "🪙\u0000" } }
        }
      },
      {
        type: "AUTHORIZATION",
        method: "eip7702_authorization",
        hash: aHash(),
        authorization: { chainId: 137, address: anAddress(), nonce: 7, hash: aHash() }
      }
    ]
  })
}

/** Creates a quote with every field set, and with an intent of every type. */
const aFullQuote = (fields: Partial<Quote> = {}): Quote => {
  const [uid, txid, orderHash] = [HexBytes.make(`0x${"cd".repeat(56)}`), aHash(), aHash()]
  return aQuote({
    id: uid,
    kind: "LIMIT_ORDER",
    content: '{"text":"🪙\\u0000"}',
    prices: { [`137:${anAddress()}`]: 10n ** 30n, [`0:${anAddress()}`]: 0n },
    intents: [
      aFullIntent(),
      aFullIntent(),
      {
        type: "LIMIT_ORDER",
        chainId: 1,
        uid,
        signer: anAddress(),
        validTo: at(86_400_000),
        signData: [{ type: "LIMIT_ORDER", method: "eth_signTypedData_v4", hash: orderHash }]
      },
      {
        type: "BITCOIN_TRANSACTION",
        txid,
        psbt: HexBytes.make("0x70736274ff"),
        signData: [
          { type: "BITCOIN_TRANSACTION", method: "sign_psbt", hash: txid, psbt: HexBytes.make("0x70736274ff") }
        ]
      }
    ],
    stages: [
      { name: "inclusion", intent: 0, status: "PROCESSING" },
      { name: "an own bridge", intent: null, status: "ON_BRIDGE" }
    ],
    transaction: aDraft({
      type: "CROSS_SWAP",
      chainIdIn: null,
      chainIdOut: 0,
      expected: [
        aMovement({ amount: MAX_UINT256, usd: "12.50", counterparty: "somebody" }),
        aMovement({ direction: "IN", account: aBitcoinAddress(), asset: { currency: "EUR" }, leg: null })
      ],
      fees: [
        {
          type: "SERVICE",
          chainId: 137,
          token: anAddress(),
          amount: 2n ** 53n + 1n,
          toAddress: anAddress(),
          percentage: "0.3"
        }
      ],
      details: { swapProvider: "ACROSS", nested: { list: [1, null, true, "\u0000"] } }
    }),
    revertReason: { decoded: 'Error("no")', raw: HexBytes.make("0x08"), utf8: "no\u0000" },
    metadata: awkwardMetadata,
    ...fields
  })
}

const operationHashOf = ({ intents }: Quote) => (intents[0] as UserOperationIntent).hash

/** Contract tests that every `QuoteStore` must pass. */
export const quoteStoreContract = <E>(name: string, stores: Layer.Layer<QuoteStore, E>): void => {
  layer(stores)(`QuoteStore on ${name}`, (it) => {
    it.effect("returns quotes exactly as they were inserted, by id", () =>
      Effect.gen(function* () {
        const store = yield* QuoteStore
        const quotes = [
          aQuote(),
          aFullQuote(),
          aQuote({ id: "q".repeat(256), walletAddress: aBitcoinAddress(), intents: [], stages: [] })
        ]
        yield* store.insert(quotes)
        yield* store.insert([])
        for (const quote of quotes) {
          assert.deepStrictEqual(yield* store.find(quote.projectId, quote.id), Option.some(quote))
        }
        assert.deepStrictEqual(yield* store.find(aProjectId(), aHash()), Option.none())
      })
    )

    it.effect("finds a quote by the hash of any of its operations, and by no other signed element", () =>
      Effect.gen(function* () {
        const store = yield* QuoteStore
        const projectId = aProjectId()
        const [fullQuote, otherQuote] = [aFullQuote({ projectId }), aQuote({ projectId })]
        yield* store.insert([fullQuote, otherQuote])
        for (const quote of [fullQuote, otherQuote]) {
          for (const intent of quote.intents) {
            if (intent.type === "USER_OPERATION") {
              assert.deepStrictEqual(yield* store.findByOperation(projectId, intent.hash), Option.some(quote))
              assert.deepStrictEqual(yield* store.findByOperation(aProjectId(), intent.hash), Option.none())
            } else {
              for (const { hash } of intent.signData) {
                assert.deepStrictEqual(yield* store.findByOperation(projectId, hash), Option.none())
              }
            }
          }
        }
      })
    )

    it.effect("stores all quotes of a call or none", () =>
      Effect.gen(function* () {
        const store = yield* QuoteStore
        const [first, second] = [aQuote(), aQuote()]
        // Each operation belongs to only one quote.
        const conflictingQuote = { ...second, projectId: first.projectId, intents: first.intents }
        assert.isTrue((yield* Effect.exit(store.insert([first, conflictingQuote])))._tag === "Failure")
        assert.deepStrictEqual(yield* store.find(first.projectId, first.id), Option.none())
        assert.deepStrictEqual(yield* store.find(conflictingQuote.projectId, conflictingQuote.id), Option.none())
        yield* store.insert([first])
        assert.deepStrictEqual(yield* store.find(first.projectId, first.id), Option.some(first))
      })
    )

    it.effect("rejects an id that the project already has, and then stores none of the quotes", () =>
      Effect.gen(function* () {
        const store = yield* QuoteStore
        const [first, second] = [aQuote(), aQuote()]
        yield* store.insert([first])
        const repeatedQuote = { ...aQuote(), id: first.id, projectId: first.projectId }
        for (const batch of [[repeatedQuote], [second, repeatedQuote]]) {
          assert.instanceOf(yield* Effect.flip(store.insert(batch)), QuoteExists)
        }
        assert.deepStrictEqual(yield* store.find(second.projectId, second.id), Option.none())
        assert.deepStrictEqual(yield* store.find(first.projectId, first.id), Option.some(first))
      })
    )

    it.effect("separates projects, also with the same id: neither finds nor accepts the quote of another project", () =>
      Effect.gen(function* () {
        const store = yield* QuoteStore
        const ownQuote = aQuote({ metadata: { whose: "mine" } })
        const otherQuote = { ...ownQuote, projectId: aProjectId(), metadata: { whose: "theirs" } }
        yield* store.insert([ownQuote])
        assert.deepStrictEqual(yield* store.find(otherQuote.projectId, ownQuote.id), Option.none())
        assert.deepStrictEqual(
          yield* store.findByOperation(otherQuote.projectId, operationHashOf(ownQuote)),
          Option.none()
        )
        assert.isFalse(yield* store.accept(otherQuote.projectId, ownQuote.id, at(1)))
        yield* store.insert([otherQuote])
        assert.isTrue(yield* store.accept(otherQuote.projectId, otherQuote.id, at(1)))
        assert.isTrue(yield* store.accept(ownQuote.projectId, ownQuote.id, at(1)))
        for (const quote of [ownQuote, otherQuote]) {
          assert.deepStrictEqual(yield* store.find(quote.projectId, quote.id), Option.some(quote))
          assert.deepStrictEqual(
            yield* store.findByOperation(quote.projectId, operationHashOf(quote)),
            Option.some(quote)
          )
        }
      })
    )

    it.effect("finds the quote of an operation without its project", () =>
      Effect.gen(function* () {
        const store = yield* QuoteStore
        const quote = aQuote()
        yield* store.insert([quote, aQuote()])
        assert.deepStrictEqual(yield* store.findByOperationInAnyProject(operationHashOf(quote)), Option.some(quote))
        assert.deepStrictEqual(yield* store.findByOperationInAnyProject(aHash()), Option.none())
      })
    )

    it.effect("finds the quotes of a wallet that can still be signed", () =>
      Effect.gen(function* () {
        const store = yield* QuoteStore
        const openQuote = aQuote({ expiresAt: at(60_000) })
        const walletFields = { walletAddress: openQuote.walletAddress }
        const [acceptedQuote, expiredQuote] = [aQuote(walletFields), aQuote({ ...walletFields, expiresAt: at(59_999) })]
        yield* store.insert([openQuote, acceptedQuote, expiredQuote, aQuote()])
        yield* store.accept(acceptedQuote.projectId, acceptedQuote.id, at(1))
        assert.deepStrictEqual(yield* store.listUnsigned(openQuote.walletAddress, at(60_000)), [openQuote])
      })
    )

    it.effect("accepts a quote once, also with concurrent requests", () =>
      Effect.gen(function* () {
        const store = yield* QuoteStore
        const quote = aFullQuote()
        yield* store.insert([quote])
        const acceptResults = yield* Effect.forEach(
          Array.from({ length: 10 }, (_, index) => at(index)),
          (instant) => store.accept(quote.projectId, quote.id, instant),
          { concurrency: 10 }
        )
        assert.strictEqual(acceptResults.filter((isAccepted) => isAccepted).length, 1)
        assert.isFalse(yield* store.accept(quote.projectId, quote.id, at(99)))
        assert.isFalse(yield* store.accept(quote.projectId, aHash(), at(99)))
        assert.deepStrictEqual(yield* store.find(quote.projectId, quote.id), Option.some(quote))
      })
    )
  })
}
