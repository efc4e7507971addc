import { DateTime, Schema } from "effect"
import { Fee } from "../../fees/index.ts"
import type { TransactionDraft } from "../../history/index.ts"
import { GasFee } from "../../intents/index.ts"
import type { Project } from "../../projects/index.ts"
import { type QuotedPrices, StoredPrices, storedPrices } from "../../tokens/index.ts"
import { Call, inclusionEstimateMs } from "../../user-operations/index.ts"
import { type Quote, type QuoteKind, Warnings } from "../Quote.ts"
import { AssetChange } from "./AssetChange.ts"
import { operationLegs, operationStages } from "./operationQuote.ts"
import type { Prepared } from "./Preparations.ts"
import { RemainingAllowance, remainingAllowances } from "./RemainingAllowance.ts"

/** The fields that every quote's content has. Amounts are in base units. */
export const quotedFields = {
  fees: Schema.Array(Fee),
  prices: StoredPrices,
  warnings: Warnings,
  calls: Schema.Array(Call),
  assetChanges: Schema.Array(AssetChange),
  allowances: Schema.Array(RemainingAllowance),
  estimatedExecutionTime: Schema.DateTimeUtc
}

/** The same of what happens by user operations alone. */
export const preparedFields = { ...quotedFields, gas: GasFee }

/** The parts of a quote's content that follow from its operations, whatever they do. */
export const contentOfPrepared = (
  { assetChanges, gas, intent, intents, operation, quotedAt }: Prepared<unknown>,
  { usd, warnings }: QuotedPrices
) => {
  const { chainId } = intent.operation
  return {
    gas,
    prices: storedPrices(usd),
    warnings,
    calls: operation.calls,
    assetChanges,
    allowances: remainingAllowances(chainId, operation.simulation.allowanceChanges),
    estimatedExecutionTime: DateTime.add(quotedAt, { milliseconds: inclusionEstimateMs(chainId, intents.length) })
  }
}

interface PreparedQuote<Content> {
  readonly project: Project
  readonly kind: QuoteKind<Content>
  readonly content: Content & Pick<Quote, "prices"> & Pick<TransactionDraft, "fees">
  readonly prepared: Prepared<unknown>
  readonly transaction: Pick<TransactionDraft, "type" | "expected"> & Partial<Pick<TransactionDraft, "details">>
  readonly metadata: Quote["metadata"]
}

/** The stored quote of what happens on one chain, by user operations alone. */
export const quoteOfPrepared = <Content>({
  content,
  kind,
  prepared,
  project,
  ...quote
}: PreparedQuote<Content>): Quote => {
  const { expiresAt, intent, intents, operation, quotedAt } = prepared
  const { chainId, sender } = intent.operation
  return {
    id: intent.hash,
    projectId: project.id,
    walletAddress: sender,
    kind: kind.kind,
    content: kind.encode(content),
    prices: content.prices,
    intents,
    stages: operationStages(intents),
    transaction: {
      details: {},
      ...quote.transaction,
      chainIdIn: chainId,
      chainIdOut: chainId,
      legs: operationLegs(intents),
      fees: content.fees
    },
    revertReason: operation.simulation.revert,
    metadata: quote.metadata,
    createdAt: quotedAt,
    expiresAt,
    executionMs: inclusionEstimateMs(chainId, intents.length)
  }
}
