import type { FiatDepositRequest, FiatWithdrawalRequest } from "@countersign/core/fiat"
import type { BatchRequest } from "@countersign/core/trading/batch"
import type {
  AddLiquidityRequest,
  CreateLiquidityRequest,
  RebalanceLiquidityRequest,
  WithdrawLiquidityRequest
} from "@countersign/core/trading/liquidity"
import type { SwapRequest } from "@countersign/core/trading/swap"
import type { Schema } from "effect"
import { endpoints, type TextInput } from "../../api/endpoints/index.ts"
import type {
  BroadcastBody,
  BumpBody,
  BusinessVerificationBody,
  CancelLimitOrderBody,
  FiatOrderRequest,
  FiatRegistrationRequest,
  FiatTermsLinkRequest,
  FiatWithdrawalOrderRequest,
  IndividualVerificationBody,
  LendingRequestBody,
  MetadataPatchBody,
  PlaceLimitOrderBody,
  RegisterBody,
  TaxExportBody,
  TaxScheduleBody,
  TransferPayload,
  WebhookCreateBody
} from "../../api/wire/index.ts"
import type { CallEndpoint, CallOptions } from "./requests.ts"

type Query<E extends { readonly query?: Schema.Struct.Fields | undefined }> = TextInput<NonNullable<E["query"]>>

type BitcoinRegistrationOptions = Pick<typeof RegisterBody.Encoded, "derivation" | "metadata" | "publicKey">

/** The calls of a project that are an endpoint's: they take and answer what it does. */
export const callsOf = (call: CallEndpoint) => ({
  /** The wallets of a project. */
  wallets: {
    /** Registers the smart wallet of an owner. As `POST /api/v1/wallets/register`. */
    register: (body: typeof RegisterBody.Encoded) => call(endpoints.walletRegister)({ payload: body }),
    /** Registers a Bitcoin address whose owner has signed `bitcoinProofMessage`. As `POST /api/v1/wallets/register`. */
    registerBitcoin: (
      body: Required<Pick<typeof RegisterBody.Encoded, "address" | "proof">> & BitcoinRegistrationOptions
    ) => call(endpoints.walletRegister)({ payload: body }),
    /** What the owner of a Bitcoin address signs. As `GET /api/v1/wallets/bitcoin/proof-message`. */
    bitcoinProofMessage: (address: string) => call(endpoints.bitcoinProofMessage)({ query: { address } }),
    /** The smart wallet of an owner, registered or not. As `GET /api/v1/wallets/address`. */
    address: (query: Query<typeof endpoints.walletAddress>) => call(endpoints.walletAddress)({ query }),
    /** Every wallet of the project, or a page of them. As `GET /api/v1/wallets`. */
    list: (query: Query<typeof endpoints.walletList> = {}) => call(endpoints.walletList)({ query }),
    /** The supported account factories. As `GET /api/v1/wallets/factories`. */
    factories: () => call(endpoints.walletFactories)({}),
    /** A registered wallet. As `GET /api/v1/wallets/:walletAddress`. */
    show: (walletAddress: string) => call(endpoints.walletShow)({ params: { walletAddress } }),
    /** Replaces the metadata of a wallet. As `PATCH /api/v1/wallets/:walletAddress/metadata`. */
    replaceMetadata: (walletAddress: string, body: typeof MetadataPatchBody.Encoded) =>
      call(endpoints.walletReplaceMetadata)({ params: { walletAddress }, payload: body })
  },
  portfolio: {
    /** What a wallet holds, and what it has gained. As `GET /api/v1/wallets/:walletAddress/portfolio`. */
    show: (walletAddress: string, query: Query<typeof endpoints.walletPortfolio> = {}, options?: CallOptions) =>
      call(endpoints.walletPortfolio)({ params: { walletAddress }, query }, options),
    /** What it was worth over time. As `GET /api/v1/wallets/:walletAddress/portfolio/chart`. */
    chart: (walletAddress: string, query: Query<typeof endpoints.walletPortfolioChart> = {}, options?: CallOptions) =>
      call(endpoints.walletPortfolioChart)({ params: { walletAddress }, query }, options)
  },
  /** What a wallet moved in a month, for its owner's taxes. */
  tax: {
    /** Mails an export of each month. As `POST /api/v1/wallets/:walletAddress/tax-export/schedules`. */
    schedule: (walletAddress: string, body: typeof TaxScheduleBody.Encoded) =>
      call(endpoints.taxSchedule)({ params: { walletAddress }, payload: body }),
    /** As `GET /api/v1/wallets/:walletAddress/tax-export/schedules`. */
    schedules: (walletAddress: string) => call(endpoints.taxScheduleList)({ params: { walletAddress } }),
    /** Ends the schedule. As `DELETE /api/v1/wallets/:walletAddress/tax-export/schedules`. */
    removeSchedule: (walletAddress: string) => call(endpoints.taxScheduleRemove)({ params: { walletAddress } }),
    /** The export of a month now. As `POST /api/v1/wallets/:walletAddress/tax-export`. */
    export: (
      walletAddress: string,
      body: typeof TaxExportBody.Encoded,
      query: Query<typeof endpoints.taxExport> = {},
      options?: CallOptions
    ) => call(endpoints.taxExport)({ params: { walletAddress }, query, payload: body }, options)
  },
  history: {
    /** Transactions of a wallet, newest first. As `GET /api/v1/wallets/:walletAddress/history`. */
    list: (walletAddress: string, query: Query<typeof endpoints.walletHistory> = {}) =>
      call(endpoints.walletHistory)({ params: { walletAddress }, query })
  },
  swaps: {
    /** Quotes, best first. Sign what `signData` asks for, then execute. As `POST /api/v1/crypto/swap`. */
    quote: (body: typeof SwapRequest.Encoded, options?: CallOptions) =>
      call(endpoints.swapQuote)({ payload: body }, options)
  },
  limitOrders: {
    /** Hands a signed limit order, quoted by `swaps.quote` with `minAmountOut`, to its book. As `POST /api/v1/crypto/limit-orders`. */
    place: (body: typeof PlaceLimitOrderBody.Encoded, options?: CallOptions) =>
      call(endpoints.limitOrderPlace)({ payload: body }, options),
    /** What cancels it, or with the owner's signature: cancels it. As `POST /api/v1/crypto/limit-orders/:transactionId/cancel`. */
    cancel: (transactionId: string, body: typeof CancelLimitOrderBody.Encoded = {}, options?: CallOptions) =>
      call(endpoints.limitOrderCancel)({ params: { transactionId }, payload: body }, options)
  },
  transfers: {
    /** A transfer to be signed. As `POST /api/v1/crypto/transfer`. */
    prepare: (body: typeof TransferPayload.Encoded, options?: CallOptions) =>
      call(endpoints.transferQuote)({ payload: body }, options)
  },
  /** Who people and businesses are. Documents are uploaded to the HTTP API, as each answer says. */
  verifications: {
    /** As `POST /api/v1/kyc/business-verification-sessions/standard`. */
    startBusiness: (body: typeof BusinessVerificationBody.Encoded, options?: CallOptions) =>
      call(endpoints.businessVerification)({ payload: body }, options),
    /** As `GET /api/v1/kyc/business-verification-sessions/standard/:sessionId`. */
    business: (sessionId: string, options?: CallOptions) =>
      call(endpoints.businessVerificationShow)({ params: { sessionId } }, options),
    /** As `POST /api/v1/kyc/business-verification-sessions/standard/:sessionId/process`. */
    processBusiness: (sessionId: string, options?: CallOptions) =>
      call(endpoints.businessVerificationProcess)({ params: { sessionId } }, options),
    /** As `POST /api/v1/kyc/individual-verification-sessions/standard`. */
    startIndividual: (body: typeof IndividualVerificationBody.Encoded, options?: CallOptions) =>
      call(endpoints.individualVerification)({ payload: body }, options),
    /** As `GET /api/v1/kyc/individual-verification-sessions/standard/:sessionId`. */
    individual: (sessionId: string, options?: CallOptions) =>
      call(endpoints.individualVerificationShow)({ params: { sessionId } }, options),
    /** As `POST /api/v1/kyc/individual-verification-sessions/standard/:sessionId/process`. */
    processIndividual: (sessionId: string, options?: CallOptions) =>
      call(endpoints.individualVerificationProcess)({ params: { sessionId } }, options),
    /** As `POST /api/v1/kyc/fiat-terms-links`. */
    fiatTermsLink: (body: typeof FiatTermsLinkRequest.Encoded, options?: CallOptions) =>
      call(endpoints.fiatTermsLink)({ payload: body }, options),
    /** As `POST /api/v1/kyc/identities/:identityId/fiat-registrations`. */
    registerWithFiatProvider: (
      identityId: string,
      body: typeof FiatRegistrationRequest.Encoded,
      options?: CallOptions
    ) => call(endpoints.fiatRegistration)({ params: { identityId }, payload: body }, options)
  },
  /** Money of banks: deposits of it, and withdrawals to it. */
  fiat: {
    /** As `POST /api/v2/fiat/deposit/quote`. */
    quoteDeposit: (body: typeof FiatDepositRequest.Encoded, options?: CallOptions) =>
      call(endpoints.fiatDepositQuote)({ payload: body }, options),
    /** As `POST /api/v2/fiat/withdrawal/quote`. */
    quoteWithdrawal: (body: typeof FiatWithdrawalRequest.Encoded, options?: CallOptions) =>
      call(endpoints.fiatWithdrawalQuote)({ payload: body }, options),
    /** An order that says how to pay the bank. As `POST /api/v2/fiat/deposit`. */
    deposit: (body: typeof FiatOrderRequest.Encoded, options?: CallOptions) =>
      call(endpoints.fiatDeposit)({ payload: body }, options),
    /** An order to be signed. As `POST /api/v2/fiat/withdrawal`. */
    withdraw: (body: typeof FiatWithdrawalOrderRequest.Encoded, options?: CallOptions) =>
      call(endpoints.fiatWithdrawal)({ payload: body }, options),
    /** As `GET /api/v2/fiat/orders/:orderId`. */
    order: (orderId: string, options?: CallOptions) => call(endpoints.fiatOrderShow)({ params: { orderId } }, options),
    /** As `GET /api/v2/fiat/orders`. */
    orders: (query: { readonly walletAddress?: string; readonly individualId?: string } = {}, options?: CallOptions) =>
      call(endpoints.fiatOrderList)({ query }, options),
    /** As `GET /api/v1/kyc/identities/:identityId/financial-limits`. */
    limits: (identityId: string, options?: CallOptions) =>
      call(endpoints.financialLimits)({ params: { identityId } }, options)
  },
  /** Payments on Bitcoin's chain: `transfers.prepare` with chain 0 quotes them. */
  bitcoin: {
    /** Publishes the signed transaction, or PSBT, of a quote. As `POST /api/v1/crypto/bitcoin/broadcast`. */
    broadcast: (body: typeof BroadcastBody.Encoded, options?: CallOptions) =>
      call(endpoints.bitcoinBroadcast)({ payload: body }, options),
    /** The same payment for a higher fee, in the place of one that waits. As `POST /api/v1/crypto/bitcoin/:transactionId/bump`. */
    bump: (transactionId: string, body: typeof BumpBody.Encoded = {}, options?: CallOptions) =>
      call(endpoints.bitcoinBump)({ params: { transactionId }, payload: body }, options),
    /** A transaction that takes back a payment which waits. As `POST /api/v1/crypto/bitcoin/:transactionId/cancel`. */
    cancel: (transactionId: string, body: typeof BumpBody.Encoded = {}, options?: CallOptions) =>
      call(endpoints.bitcoinCancel)({ params: { transactionId }, payload: body }, options)
  },
  batches: {
    /** Transfers and swaps to be signed as one operation. As `POST /api/v1/crypto/batch-operations`. */
    prepare: (body: typeof BatchRequest.Encoded, options?: CallOptions) =>
      call(endpoints.batchQuote)({ payload: body }, options)
  },
  /** Operations on positions that a wallet's owner may sign, pools and positions. */
  liquidity: {
    /** A new position. As `POST /api/v1/liquidity`. */
    create: (body: typeof CreateLiquidityRequest.Encoded, options?: CallOptions) =>
      call(endpoints.liquidityCreate)({ payload: body }, options),
    /** More for a position. As `POST /api/v1/liquidity/add`. */
    add: (body: typeof AddLiquidityRequest.Encoded, options?: CallOptions) =>
      call(endpoints.liquidityAdd)({ payload: body }, options),
    /** A share of a position as one token. As `POST /api/v1/liquidity/withdraw`. */
    withdraw: (body: typeof WithdrawLiquidityRequest.Encoded, options?: CallOptions) =>
      call(endpoints.liquidityWithdraw)({ payload: body }, options),
    /** A position in another range. As `POST /api/v1/liquidity/rebalance`. */
    rebalance: (body: typeof RebalanceLiquidityRequest.Encoded, options?: CallOptions) =>
      call(endpoints.liquidityRebalance)({ payload: body }, options),
    /** A page of the pools of a chain, the most valuable first. As `GET /api/v1/liquidity/pools`. */
    pools: (query: Query<typeof endpoints.poolSearch>, options?: CallOptions) =>
      call(endpoints.poolSearch)({ query }, options),
    /** A pool by its id, chain id, hyphen, address, and what happened in it. As `GET /api/v1/liquidity/pools/:id`. */
    pool: (id: string, query: Query<typeof endpoints.poolShow> = {}, options?: CallOptions) =>
      call(endpoints.poolShow)({ params: { id }, query }, options),
    /** A position by its NFT. As `GET /api/v1/liquidity/positions/:chainId/:tokenId`. */
    position: (chainId: number, tokenId: string, options?: CallOptions) =>
      call(endpoints.positionShow)({ params: { chainId, tokenId } }, options)
  },
  /** Loans and what secures them. */
  lending: {
    /** A lending operation to be signed. As `POST /api/v1/lending/quote`. */
    prepare: (body: typeof LendingRequestBody.Encoded, options?: CallOptions) =>
      call(endpoints.lendingQuote)({ payload: body }, options),
    /** The markets in which tokens are lent. As `GET /api/v1/lending/markets`. */
    markets: (query: Query<typeof endpoints.lendingMarkets> = {}, options?: CallOptions) =>
      call(endpoints.lendingMarkets)({ query }, options),
    /** The supplies and debts of a wallet. As `GET /api/v1/wallets/:walletAddress/lending`. */
    positions: (walletAddress: string, options?: CallOptions) =>
      call(endpoints.lendingPositions)({ params: { walletAddress } }, options)
  },
  chains: {
    /** Every chain that Countersign knows. As `GET /api/v1/crypto/chains`. */
    list: () => call(endpoints.chainList)({})
  },
  providers: {
    /** The swap providers, and how they perform. As `GET /api/v1/crypto/providers`. */
    list: () => call(endpoints.providerList)({})
  },
  tokens: {
    /** The tokens of the chains that were opened, by text and chain. As `GET /api/v1/crypto/tokens`. */
    list: (query: Query<typeof endpoints.tokenSearch> = {}) => call(endpoints.tokenSearch)({ query })
  },
  /** Endpoints that are told of a project's events, and what was sent to them. Workers of the library deliver. */
  webhooks: {
    /** Adds an endpoint, and answers its secret this once. As `POST /api/v1/webhooks`. */
    create: (body: typeof WebhookCreateBody.Encoded) => call(endpoints.webhookCreate)({ payload: body }),
    /** As `GET /api/v1/webhooks`. */
    list: () => call(endpoints.webhookList)({}),
    /** As `GET /api/v1/webhooks/:id`. */
    show: (id: string) => call(endpoints.webhookShow)({ params: { id } }),
    /** Deletes an endpoint with its deliveries. As `DELETE /api/v1/webhooks/:id`. */
    remove: (id: string) => call(endpoints.webhookRemove)({ params: { id } }),
    /** Enables an endpoint that was disabled. As `POST /api/v1/webhooks/:id/enable`. */
    enable: (id: string) => call(endpoints.webhookEnable)({ params: { id } }),
    /** Replaces the secret, and answers the new one this once. As `POST /api/v1/webhooks/:id/rotate`. */
    rotate: (id: string, query: Query<typeof endpoints.webhookRotate> = {}) =>
      call(endpoints.webhookRotate)({ params: { id }, query }),
    /** Sends a `webhook.test` event. As `POST /api/v1/webhooks/:id/test`. */
    test: (id: string) => call(endpoints.webhookTest)({ params: { id } }),
    /** The deliveries, newest first. As `GET /api/v1/webhooks/:id/deliveries`. */
    deliveries: (id: string, query: Query<typeof endpoints.webhookDeliveries> = {}) =>
      call(endpoints.webhookDeliveries)({ params: { id }, query }),
    /** Sends an event again. As `POST /api/v1/webhooks/:id/deliveries/:deliveryId/redeliver`. */
    redeliver: (id: string, deliveryId: string) => call(endpoints.webhookRedeliver)({ params: { id, deliveryId } })
  }
})
