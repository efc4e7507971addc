import { endpointRunnerOf, endpoints } from "@countersign/adapters/api/endpoints"
import { exampleBitcoinKeys, type SandboxBitcoinKey, SandboxChains, signQuote } from "@countersign/adapters/sandbox"
import type { Project } from "@countersign/core/tenancy/projects"
import type { Examples } from "@countersign/http"
import { Effect, Schedule } from "effect"
import { registerBitcoinWallet } from "../registeredWallets.ts"

const NATIVE_TOKEN = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const RECEIVER = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
/** In sat/vB. The sandbox mines payments at the low rate only on request, so they can be replaced until then. */
const rates = { waiting: 1, usual: 5 }
const UTXO_SATOSHIS = 10_000_000

const NOTE = { for: "the examples of the reference" }

const quoteTransfer = endpointRunnerOf(endpoints.transfer.quote)
const broadcast = endpointRunnerOf(endpoints.bitcoin.broadcast)
const history = endpointRunnerOf(endpoints.history.list)

/**
 * Creates a payment quote and its signed transaction. If the wallet has no free UTXO, it first gets one, which requires
 * a block.
 */
const signPayment = Effect.fnUntraced(function* (project: Project, { address }: SandboxBitcoinKey, feeRate: number) {
  const { bitcoin } = yield* SandboxChains
  const payload = {
    walletAddress: address,
    chainId: 0,
    token: NATIVE_TOKEN,
    amount: "0.0001",
    toAddress: RECEIVER,
    gasFeePaymentMethod: "ADD_TO_AMOUNT",
    payGasFeeToken: NATIVE_TOKEN,
    feeRate
  } as const
  const quote = Effect.map(quoteTransfer(project, { payload }), ({ transfer }) => transfer)
  const firstQuote = yield* quote
  if (firstQuote.revertReason !== undefined) yield* bitcoin.control({ address, satoshis: UTXO_SATOSHIS })
  const { quoteId } = yield* firstQuote.revertReason === undefined
    ? Effect.succeed(firstQuote)
    : Effect.repeat(quote, {
        until: ({ revertReason }) => revertReason === undefined,
        schedule: Schedule.spaced("500 millis"),
        times: 60
      })
  const { signatures } = yield* signQuote(project.id, quoteId)
  return { quoteId, signedTransactionHex: Object.values(signatures)[0]! }
})

/** Returns the id of the newest unconfirmed payment; null if there is none. */
const findUnconfirmedPayment = Effect.fnUntraced(function* (project: Project, { address }: SandboxBitcoinKey) {
  const query = { status: ["PROCESSING"], take: 10 }
  const { transactions } = yield* history(project, { params: { walletAddress: address }, query })
  return transactions.find(({ substatus, type }) => type === "TRANSFER" && substatus === "BROADCAST")?.id ?? null
})

const makeUnconfirmedPayment = Effect.fnUntraced(function* (project: Project, key: SandboxBitcoinKey) {
  yield* broadcast(project, { payload: yield* signPayment(project, key, rates.waiting) })
  return yield* Effect.repeat(findUnconfirmedPayment(project, key), {
    until: (id) => id !== null,
    schedule: Schedule.spaced("100 millis"),
    times: 300
  })
})

/** Prepares an unconfirmed payment, and another payment that is signed but not broadcast. */
export const bitcoinExamples = Effect.fnUntraced(function* (project: Project) {
  const { paying, waiting } = exampleBitcoinKeys()
  yield* Effect.forEach([paying, waiting], (key) => registerBitcoinWallet(project, key, NOTE), { discard: true })
  const transactionId =
    (yield* findUnconfirmedPayment(project, waiting)) ?? (yield* makeUnconfirmedPayment(project, waiting))
  const paymentParameters = { parameters: { transactionId } }
  const examples: Examples = {
    "bitcoin.broadcast": { body: yield* signPayment(project, paying, rates.usual) },
    "bitcoin.bump": paymentParameters,
    "bitcoin.cancel": paymentParameters
  }
  return examples
})
