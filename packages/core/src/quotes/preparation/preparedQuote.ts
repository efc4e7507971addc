import { DateTime } from "effect"
import type { TransactionDraft } from "../../history/index.ts"
import type { Project } from "../../projects/index.ts"
import { type QuotedPrices, storedPrices } from "../../tokens/index.ts"
import { inclusionEstimateMs } from "../../user-operations/index.ts"
import type { Quote, QuoteKind } from "../Quote.ts"
import { operationLegs, operationStages } from "./operationQuote.ts"
import type { Prepared } from "./Preparations.ts"
import { remainingAllowances } from "./RemainingAllowance.ts"

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
    expiresAt
  }
}
