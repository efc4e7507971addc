import { DateTime, Schema } from "effect"
import { pendingLeg, type TransactionDraft } from "../../../accounting/history/index.ts"
import type { ChainId } from "../../../foundation/chains/index.ts"
import { Fee } from "../../../foundation/fees/index.ts"
import { type QuotedPrices, StoredPrices, storedPrices } from "../../../foundation/tokens/index.ts"
import type { Project } from "../../../tenancy/projects/index.ts"
import { addressOf, type Wallet } from "../../../wallets/registry/index.ts"
import { GasFee, type Intent, isUserOperation, mainOperation } from "../../intents/index.ts"
import { Call, inclusionEstimateMs, type RevertReason } from "../../user-operations/index.ts"
import { type PlannedStage, type Quote, type QuoteKind, Warnings } from "../Quote.ts"
import { AssetChange } from "./AssetChange.ts"
import { RemainingAllowance } from "./RemainingAllowance.ts"

/** A plan whose content is ready to be signed, with its expiry. */
export interface PreparedPlan<P, Gas extends GasFee | null = GasFee | null> {
  readonly plan: P
  /** All intents, in their execution order. */
  readonly intents: ReadonlyArray<Intent>
  /** The total gas of all user operations. Null if there are none. */
  readonly gas: Gas
  readonly calls: ReadonlyArray<Call>
  /** The wallet's balance changes, including the gas payment and prepaid gas. */
  readonly assetChanges: ReadonlyArray<AssetChange>
  readonly allowances: ReadonlyArray<RemainingAllowance>
  /** The effects that the simulation could not show, as a sentence. Null if it showed all effects. */
  readonly notSeen: string | null
  readonly revertReason: RevertReason | null
  readonly quotedAt: DateTime.Utc
  readonly expiresAt: DateTime.Utc
}

/** The common fields of quote contents. Amounts are in base units. */
export const quotedFields = {
  fees: Schema.Array(Fee),
  prices: StoredPrices,
  warnings: Warnings,
  calls: Schema.Array(Call),
  assetChanges: Schema.Array(AssetChange),
  allowances: Schema.Array(RemainingAllowance),
  estimatedExecutionTime: Schema.DateTimeUtc
}

/** The fields of the content of quotes that consist of user operations only. */
export const preparedFields = { ...quotedFields, gas: GasFee }

/** Returns the maximum gas cost, in the gas token of the operation. */
const gasFees = ({ gas, intents }: PreparedPlan<unknown>): ReadonlyArray<Fee> => {
  const operation = mainOperation(intents)?.operation
  if (gas === null || operation === undefined) return []
  const toAddress = operation.paymaster?.address ?? null
  const { chainId } = operation
  return [{ type: "GAS", chainId, token: gas.token, amount: gas.maxToken, toAddress, percentage: null }]
}

/**
 * Estimates the milliseconds from signature to completion. Operations are included one by one. The last stage may take
 * longer.
 */
export const estimateExecutionMs = (
  { intents }: Pick<PreparedPlan<unknown>, "intents">,
  chainId: ChainId,
  lastSeconds = 0
): number => {
  const operationsBefore = Math.max(0, intents.filter(isUserOperation).length - 1)
  return inclusionEstimateMs(chainId, operationsBefore) + Math.max(lastSeconds * 1_000, inclusionEstimateMs(chainId))
}

/**
 * Returns the fields of a quote's content that the preparation determines. `fees` are the fees other than gas, and
 * `lastSeconds` is the same as in `estimateExecutionMs`.
 */
export const preparedContent = <Gas extends GasFee | null>(
  preparation: PreparedPlan<unknown, Gas>,
  { usd, warnings }: QuotedPrices,
  fees: ReadonlyArray<Fee>,
  chainId: ChainId,
  lastSeconds = 0
) => {
  const { allowances, assetChanges, calls, gas, notSeen, quotedAt } = preparation
  const milliseconds = estimateExecutionMs(preparation, chainId, lastSeconds)
  return {
    gas,
    fees: [...gasFees(preparation), ...fees],
    prices: storedPrices(usd),
    warnings: notSeen === null ? warnings : [...warnings, notSeen],
    calls,
    assetChanges,
    allowances,
    estimatedExecutionTime: DateTime.add(quotedAt, { milliseconds })
  }
}

/**
 * Returns the stages of a quote: the inclusion of its operations in order, other stages, and the finality of the
 * blocks. In `others`, intent indexes are relative to the last operation. Without operations, the result is `others`.
 */
const stagesOf = (intents: ReadonlyArray<Intent>, others: ReadonlyArray<PlannedStage>): ReadonlyArray<PlannedStage> => {
  const operations = intents.filter(isUserOperation)
  if (operations.length === 0) return others
  return [
    ...operations.map((_, intent): PlannedStage => ({ name: "inclusion", intent, status: "PROCESSING" })),
    ...others.map((stage) => ({
      ...stage,
      intent: stage.intent === null ? null : stage.intent + operations.length - 1
    })),
    { name: "finality", intent: null, status: "COMPLETED" }
  ]
}

/**
 * Returns the legs of the operations. The leg of the last operation comes first, because its hash identifies the quote.
 */
const legsOf = (intents: ReadonlyArray<Intent>, chainId: ChainId) => {
  const operations = intents.filter(isUserOperation)
  return operations.length === 0
    ? [pendingLeg(chainId, 0)]
    : operations.map(({ operation }, stage) => pendingLeg(operation.chainId, stage)).toReversed()
}

/** The content of a quote, and the fields of its transaction draft. */
export interface QuoteResult<Content> extends Pick<TransactionDraft, "expected" | "type"> {
  readonly content: Content &
    Pick<Quote, "prices"> &
    Pick<TransactionDraft, "fees"> & { readonly estimatedExecutionTime: DateTime.Utc }
  readonly metadata: Quote["metadata"]
  readonly details?: TransactionDraft["details"]
  readonly subject?: TransactionDraft["subject"]
  readonly uses?: Quote["uses"]
}

/** A stored quote and its decoded content. */
export interface DecodedQuote<Content> {
  readonly quote: Quote
  readonly content: Content
}

interface QuoteTerms<Content> {
  readonly id: string
  readonly project: Project
  readonly wallet: Wallet
  readonly kind: QuoteKind<Content>
  readonly prepared: PreparedPlan<unknown>
  readonly response: QuoteResult<Content>
  readonly chainIdIn: ChainId
  readonly chainIdOut: ChainId
  /** Stages between the inclusion of the operations and their finality. */
  readonly stages: ReadonlyArray<PlannedStage>
}

/** Builds the quote of a preparation. Does not store it. */
export const preparedQuoteOf = <Content>({
  response: { content, details = {}, expected, metadata, subject = null, type, uses = [] },
  chainIdIn,
  chainIdOut,
  id,
  kind,
  prepared: { expiresAt, intents, quotedAt, revertReason },
  project,
  stages,
  wallet
}: QuoteTerms<Content>): DecodedQuote<Content> => {
  const { fees, prices } = content
  const legs = legsOf(intents, chainIdIn)
  return {
    quote: {
      id,
      projectId: project.id,
      walletAddress: addressOf(wallet),
      kind: kind.kind,
      content: kind.encode(content),
      prices,
      intents,
      uses,
      stages: stagesOf(intents, stages),
      transaction: { type, chainIdIn, chainIdOut, expected, legs, fees, subject, details },
      revertReason,
      metadata,
      createdAt: quotedAt,
      expiresAt,
      executionMs: DateTime.toEpochMillis(content.estimatedExecutionTime) - DateTime.toEpochMillis(quotedAt)
    },
    content
  }
}
