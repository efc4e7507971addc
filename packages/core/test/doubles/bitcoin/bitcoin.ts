import { DateTime, Effect, Schema } from "effect"
import type { BlockRef, Leg, Transaction } from "../../../src/accounting/history/index.ts"
import { Hash32, HexBytes, jsonText } from "../../../src/foundation/primitives/index.ts"
import { signatureOf } from "../../../src/foundation/signing/index.ts"
import type { IntentKind, Stage, Step } from "../../../src/operations/executions/index.ts"
import type { BitcoinTransactionIntent } from "../../../src/operations/intents/index.ts"
import type { PlannedStage } from "../../../src/operations/quotes/index.ts"
import type { Offer, OfferRequest, SwapProvider } from "../../../src/trading/swap/index.ts"

/** A network with transactions, their blocks, and their replacements. */
export interface BitcoinNetwork {
  height: bigint
  /** Blocks of transactions, by transaction id. Null if no block includes the transaction. */
  readonly transactions: Map<Hash32, BlockRef | null>
  /** By id of the replaced transaction: the replacing transaction, and whether it makes the same payment. */
  readonly replacements: Map<Hash32, { readonly txid: Hash32; readonly isSamePayment: boolean }>
  /** Returns the id of a new transaction without its signatures. */
  readonly newTransaction: () => Hash32
  /** Accepts a signed transaction, and returns its id on the network. */
  readonly broadcast: (signed: HexBytes) => Hash32
}

export const CONFIRMATIONS = "confirmations"
const POLL_EVERY_MS = 60_000

export const confirmationsState = jsonText(
  Schema.Struct({
    /** Required number of confirmations. */
    needed: Schema.Int,
    /** Id of the transaction on the network. Null before the broadcast. */
    txid: Schema.NullOr(Hash32)
  })
)

/**
 * Stages of a payment that is reported as completed after its first confirmation, and tracked until it has six
 * confirmations.
 */
export const confirmedStages: ReadonlyArray<PlannedStage> = [
  { name: CONFIRMATIONS, intent: 0, status: "PROCESSING", state: confirmationsState.encode({ needed: 1, txid: null }) },
  { name: CONFIRMATIONS, intent: 0, status: "COMPLETED", state: confirmationsState.encode({ needed: 6, txid: null }) }
]

export const bitcoinIntent = (txid: Hash32): BitcoinTransactionIntent => ({
  type: "BITCOIN_TRANSACTION",
  txid,
  psbt: HexBytes.make(`0x70736274ff${txid.slice(2)}`),
  signData: [
    {
      type: "BITCOIN_TRANSACTION",
      method: "sign_psbt",
      hash: txid,
      psbt: HexBytes.make(`0x70736274ff${txid.slice(2)}`)
    }
  ]
})

/**
 * Returns a signed transaction in the format of this network: a version, the id without signatures, and a signature.
 */
export const signedTransaction = (txid: Hash32): HexBytes => HexBytes.make(`0x02${txid.slice(2)}5a`)

/** Accepts a signed transaction only if it is the quoted one. */
export const bitcoinKind: IntentKind<BitcoinTransactionIntent> = {
  type: "BITCOIN_TRANSACTION",
  signerOf: (_intent, { walletAddress }) => walletAddress,
  signatureProblem: ({ txid }, _element, signed) =>
    Effect.succeed(
      signed.startsWith(`0x02${txid.slice(2)}`)
        ? null
        : { _tag: "NotAsQuoted", reason: "it is a transaction with another id than the quoted one" }
    ),
  makeReady: () => Effect.succeed({ cover: null })
}

const withLeg = (transaction: Transaction, fields: Pick<Leg, "block" | "hash" | "state">): Transaction => ({
  ...transaction,
  legs: transaction.legs.map((leg) => ({ ...leg, ...fields }))
})

/** Returns the transaction in its state after a reorg removed its block. */
const withoutBlock = (transaction: Transaction): Transaction => ({
  ...withLeg(transaction, { block: null, hash: null, state: "PENDING" }),
  movements: [],
  substatus: "REORGED",
  executedAt: null
})

/** Creates a stage that broadcasts a signed Bitcoin transaction and waits for enough confirmations. */
export const confirmationsStage = (network: BitcoinNetwork): Stage => ({
  name: CONFIRMATIONS,
  waitsFor: "CHAIN",
  awaited: "a confirmation",
  normalMs: null,
  patienceMs: null,
  step: Effect.fn("ConfirmationsStage.step")(function* ({ execution, quote, stage, transaction }) {
    const [intent] = quote.intents
    if (intent?.type !== "BITCOIN_TRANSACTION") return yield* Effect.die(new Error("Only Bitcoin is confirmed"))
    const { needed, txid } = confirmationsState.decode(stage.state)
    const currentTransaction = yield* transaction
    const currentTxid = txid ?? currentTransaction.legs[0]?.hash ?? null
    const now = yield* DateTime.now
    const stayStep = (next: Hash32, change: (before: Transaction) => Transaction): Step => ({
      _tag: "Stay",
      state: confirmationsState.encode({ needed, txid: next }),
      change,
      afterMs: POLL_EVERY_MS
    })
    if (currentTxid === null) {
      const signature = signatureOf(execution.signatures, intent.signData[0]!)
      if (signature === null) return yield* Effect.die(new Error("The transaction was not signed"))
      return stayStep(network.broadcast(signature), (before) => ({ ...before, substatus: "BROADCAST" }))
    }
    const replacement = network.replacements.get(currentTxid)
    if (replacement !== undefined) {
      if (replacement.isSamePayment)
        return stayStep(replacement.txid, (before) => ({ ...before, substatus: "REPLACED" }))
      return {
        _tag: "End",
        change: (before) => ({
          ...withoutBlock(before),
          status: "FAILED",
          substatus: "REPLACED",
          failure: { code: "REPLACED", message: `Another transaction spent the same UTXOs: ${replacement.txid}` }
        })
      } satisfies Step
    }
    const block = network.transactions.get(currentTxid) ?? null
    const [leg] = currentTransaction.legs
    if (block === null) {
      if (leg?.state !== "INCLUDED") return { _tag: "Wait", afterMs: POLL_EVERY_MS } satisfies Step
      return { _tag: "Back", to: leg.stage, change: withoutBlock } satisfies Step
    }
    const confirmations = network.height - block.number + 1n
    const includeInBlock = (before: Transaction): Transaction => ({
      ...withLeg(before, { hash: currentTxid, block, state: "INCLUDED" }),
      movements: before.expected,
      substatus: "INCLUDED",
      executedAt: now
    })
    const isChanged = leg?.block?.hash !== block.hash
    const isLast = execution.at === execution.stages.length - 1
    if (confirmations < BigInt(needed)) {
      return isChanged
        ? stayStep(currentTxid, includeInBlock)
        : ({ _tag: "Wait", afterMs: POLL_EVERY_MS } satisfies Step)
    }
    const finalize = (before: Transaction) =>
      withLeg(includeInBlock(before), { hash: currentTxid, block, state: "FINAL" })
    if (!isLast) return { _tag: "Next", change: includeInBlock } satisfies Step
    return currentTransaction.status === "COMPLETED"
      ? ({ _tag: "Settle", change: finalize } satisfies Step)
      : ({ _tag: "Next", change: finalize } satisfies Step)
  })
})

const offerOf = (network: BitcoinNetwork, request: OfferRequest): Offer => ({
  ...request,
  amountOut: request.amountIn * 500n,
  certainty: "FLOOR",
  blockNumber: null,
  route: [],
  fees: [
    {
      type: "NETWORK",
      chainId: 0,
      token: request.tokenIn.address,
      amount: 300n,
      toAddress: null,
      percentage: null
    }
  ],
  executionSeconds: 1_200,
  stages: confirmedStages,
  requoteAmount: (amountIn) => Effect.sync(() => offerOf(network, { ...request, amountIn })),
  requestFollowUp: null,
  intent: {
    _tag: "Intents",
    buildIntents: () => Effect.sync(() => [bitcoinIntent(network.newTransaction())])
  }
})

/** Creates a swap provider that buys tokens on another chain with bitcoin. */
export const bitcoinProvider = (network: BitcoinNetwork): SwapProvider => ({
  id: "bitcoin",
  name: "The Bitcoin network",
  serves: ({ chainIdIn, isLimitOrder }) => chainIdIn === 0 && !isLimitOrder,
  stages: Effect.succeed([confirmationsStage(network)]),
  offer: (request) => Effect.sync(() => offerOf(network, request))
})
