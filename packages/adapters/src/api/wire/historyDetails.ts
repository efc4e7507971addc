import type { Transaction } from "@countersign/core/accounting/history"
import { Replacement, replacedByDetails, replacementDetails } from "@countersign/core/bitcoin/payments"
import { fiatDetails } from "@countersign/core/fiat"
import { lendingDetails } from "@countersign/core/trading/lending"
import { positionDetails } from "@countersign/core/trading/liquidity"
import { swapDetails } from "@countersign/core/trading/swap"
import { Schema } from "effect"
import { amountText, type FindToken } from "./amounts.ts"
import { hexOrNull, text, textOrNull } from "./fields.ts"

/** A transaction field that only one type of operation uses. It is null for all others. */
interface DetailsField<Body extends Schema.Top> {
  readonly body: Body
  readonly bodyOf: (transaction: Transaction, find: FindToken) => Body["Type"] | null
}

const detailsField = <Body extends Schema.Top>(field: DetailsField<Body>) => field

const swapProvider = detailsField({
  body: textOrNull("Id of the provider that made the swap; null for other transactions"),
  bodyOf: (transaction) => swapDetails.in(transaction)
})

const liquidity = detailsField({
  body: Schema.NullOr(
    Schema.Struct({
      tokenId: textOrNull("Token id of the position's NFT; null for a new position that is not in a block yet"),
      positionId: textOrNull(
        "Token id of the position's first NFT. Rebalances do not change it. Null for a new position that is not in a block yet"
      )
    })
  ).annotate({ description: "The liquidity position of the transaction; null for other transactions" }),
  bodyOf: (transaction) => {
    const position = positionDetails.in(transaction)
    return position === null ? null : { tokenId: position.tokenId, positionId: position.positionId }
  }
})

const lending = detailsField({
  body: Schema.NullOr(
    Schema.Struct({
      provider: text("Id of the lending provider"),
      marketId: textOrNull("Morpho Blue's id of the market; null for Aave V3"),
      healthFactorBefore: textOrNull(
        "Health factor before the operation, from the quote; null if there was no debt or no oracle price, and for liquidations"
      ),
      healthFactorAfter: textOrNull(
        "Health factor after the operation, as simulated for the quote; null if no debt remains, if there was no oracle price or if the simulation reverted, and for liquidations"
      ),
      debtToken: hexOrNull("For a liquidation: the token of the repaid debt; otherwise null"),
      debtAmount: textOrNull("For a liquidation: the repaid debt, in token units; otherwise null")
    })
  ).annotate({ description: "Details of a lending operation; null for other transactions" }),
  bodyOf: (transaction, find) => {
    const details = lendingDetails.in(transaction)
    if (details === null) return null
    const { cancelled: _, repaid, ...otherDetails } = details
    const { chainIdIn } = transaction
    return {
      ...otherDetails,
      debtToken: repaid?.token ?? null,
      debtAmount:
        repaid === null || chainIdIn === null ? null : amountText(repaid.amount, find(chainIdIn, repaid.token))
    }
  }
})

const money = (description: string) =>
  Schema.Struct({
    currency: text("Code of the currency or of the stablecoin"),
    amount: text("Decimal amount, such as 10.50")
  }).annotate({
    description
  })

const fiat = detailsField({
  body: Schema.NullOr(
    Schema.Struct({
      orderId: text("Id of the fiat order"),
      from: money("Amount to pay, according to the order"),
      to: money("Amount to receive, according to the order")
    })
  ).annotate({ description: "The fiat order of the transaction; null for other transactions" }),
  bodyOf: (transaction) => fiatDetails.in(transaction)
})

const bitcoin = detailsField({
  body: Schema.NullOr(
    Schema.Struct({
      replaces: Schema.NullOr(
        Schema.Struct({
          kind: Schema.Literals(Replacement.fields.kind.literals).annotate({
            description:
              "BUMP: the same payment with a higher fee. CANCEL: returns the inputs to the wallet. CHILD: spends a deposit and pays the fee for both transactions (CPFP)"
          }),
          transactionId: text("Id of the other transaction in the wallet's history")
        })
      ).annotate({ description: "The payment that this payment replaces or speeds up; null if there is none" }),
      replacedBy: textOrNull(
        "Id, in the wallet's history, of the payment that replaced this one; null if there is none"
      )
    })
  ).annotate({ description: "Relations between Bitcoin payments; null for other transactions" }),
  bodyOf: (transaction) => {
    const replacement = replacementDetails.in(transaction)
    const replacedBy = replacedByDetails.in(transaction)?.transactionId ?? null
    return replacement === null && replacedBy === null ? null : { replaces: replacement, replacedBy }
  }
})

/**
 * One entry for each type of operation with details. The schema and the serializer of the history derive from this
 * list.
 */
const detailsFields = { swapProvider, liquidity, lending, fiat, bitcoin }

type DetailsFields = typeof detailsFields

const mapDetailsFields = <A>(mapField: (field: DetailsField<Schema.Top>) => A) =>
  Object.fromEntries(Object.entries(detailsFields).map(([name, field]) => [name, mapField(field)]))

export const detailsSchemas = mapDetailsFields(({ body }) => body) as {
  [Name in keyof DetailsFields]: DetailsFields[Name]["body"]
}

export const detailsBody = (transaction: Transaction, find: FindToken) =>
  mapDetailsFields(({ bodyOf }) => bodyOf(transaction, find)) as {
    [Name in keyof DetailsFields]: ReturnType<DetailsFields[Name]["bodyOf"]>
  }
