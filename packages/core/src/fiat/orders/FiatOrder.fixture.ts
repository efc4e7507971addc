import { at, aUuid } from "../../foundation/primitives/ids.fixture.ts"
import { Address } from "../../foundation/primitives/index.ts"
import { Token } from "../../foundation/tokens/index.ts"
import { IndividualId } from "../../identity/index.ts"
import { aProjectId } from "../../tenancy/projects/Project.fixture.ts"
import { FiatOrder, FiatQuote } from "./FiatOrder.ts"

const usdc = Token.make({
  chainId: 8453,
  address: Address.make("0x833589fcd6edb6e08f4c7c32d4f71b54bda02913"),
  symbol: "USDC",
  name: "USD Coin",
  decimals: 6,
  realWorldAsset: false
})

export const aFiatQuote = (fields: Partial<FiatQuote> = {}): FiatQuote =>
  FiatQuote.make({
    id: aUuid(),
    projectId: aProjectId(),
    direction: "DEPOSIT",
    method: "PIX",
    individualId: IndividualId.make("ana"),
    walletAddress: Address.make(`0x${"a1".repeat(20)}`),
    chainId: 8453,
    token: usdc,
    currency: "BRL",
    fiatAmount: 10_000n,
    tokenAmount: 18_000_000n,
    fees: [{ type: "PROVIDER", currency: "BRL", amount: 150n, toAddress: null, percentage: null }],
    transactionFeePercent: 0,
    provider: "blindpay",
    providerQuote: "qu_1",
    createdAt: at(1),
    expiresAt: at(300),
    ...fields
  })

export const aFiatOrder = (quote: FiatQuote, fields: Partial<FiatOrder> = {}): FiatOrder => {
  const id = aUuid()
  return FiatOrder.make({
    id,
    quote,
    state: "AWAITING_FUNDS",
    steps: [{ state: "AWAITING_FUNDS", at: quote.createdAt }],
    executedQuote: id,
    fiatAmount: quote.fiatAmount,
    receivedAmount: null,
    providerQuote: quote.providerQuote,
    providerOrder: null,
    allowance: null,
    resolution: null,
    transferMissingSince: null,
    instructions: null,
    reason: null,
    createdAt: quote.createdAt,
    updatedAt: quote.createdAt,
    expiresAt: quote.expiresAt,
    ...fields
  })
}
