import { CountersignError, errorOfAnswer } from "./errors.ts"
import { type CallOptions, type ClientOptions, makeSend, pause, type Send } from "./http.ts"
import type { components } from "./openapi.ts"
import type {
  AddLiquidityRequest,
  BatchQuote,
  BatchRequest,
  BitcoinBroadcast,
  BitcoinBroadcastRequest,
  BitcoinBumpRequest,
  BusinessSession,
  BusinessSessionStarted,
  BusinessVerificationRequest,
  CancelLimitOrderRequest,
  Chain,
  CreateLiquidityRequest,
  CreateTaxExportScheduleRequest,
  CreateWebhookRequest,
  ExecuteRequest,
  ExecuteUserOperationRequest,
  Execution,
  Factory,
  FiatDepositOrder,
  FiatDepositQuoteRequest,
  FiatDepositRequest,
  FiatOrderAnswer,
  FiatOrders,
  FiatQuote,
  FiatRegistration,
  FiatRegistrationRequest,
  FiatTermsLink,
  FiatTermsLinkRequest,
  FiatWithdrawalOrder,
  FiatWithdrawalQuoteRequest,
  FiatWithdrawalRequest,
  FinancialLimits,
  HistoryFilter,
  IndividualSession,
  IndividualSessionStarted,
  IndividualVerificationRequest,
  LendingMarketFilter,
  LendingMarkets,
  LendingPositions,
  LendingQuote,
  LendingRequest,
  LimitOrderCancellation,
  LiquidityAddition,
  LiquidityCreation,
  LiquidityPool,
  LiquidityPosition,
  LiquidityQuote,
  LiquidityRebalance,
  LiquidityWithdrawal,
  PlacedLimitOrder,
  PlaceLimitOrderRequest,
  PoolSearch,
  Portfolio,
  PortfolioChart,
  PortfolioChartQuery,
  PortfolioQuery,
  RebalanceLiquidityRequest,
  RegisterWalletRequest,
  SwapQuote,
  SwapRequest,
  TaxExport,
  TaxExportOptions,
  TaxExportRequest,
  TaxExportSchedule,
  Token,
  TokenSearch,
  Transaction,
  TransferQuote,
  TransferRequest,
  UploadDescriptor,
  UserOperation,
  UserOperationExecution,
  Wallet,
  WalletQuery,
  Webhook,
  WebhookDelivery,
  WithdrawLiquidityRequest
} from "./resources.ts"
import { type Signable, signable } from "./signing.ts"

const CRYPTO = "/api/v1/crypto"
const FIAT = "/api/v2/fiat"
const LIQUIDITY = "/api/v1/liquidity"
const WALLETS = "/api/v1/wallets"
const WEBHOOKS = "/api/v1/webhooks"

const endings: ReadonlySet<Transaction["status"]> = new Set([
  "COMPLETED",
  "PARTIALLY_COMPLETED",
  "FAILED",
  "CANCELLED",
  "EXPIRED",
  "REFUNDED"
])

export interface WaitOptions extends CallOptions {
  /** Milliseconds between two looks: 1 000 when left out. */
  readonly interval?: number
}

/** Every item of a list that comes in pages, each page when it is needed. */
async function* pages<A>(
  page: (lastId: string | undefined) => Promise<{ nextLastId: string | null; items: Array<A> }>
) {
  let lastId: string | undefined
  do {
    const { items, nextLastId } = await page(lastId)
    yield* items
    lastId = nextLastId ?? undefined
  } while (lastId !== undefined)
}

const quoting = (send: Send) => {
  const swapQuotes = async (body: SwapRequest, options?: CallOptions): Promise<Array<Signable<SwapQuote>>> => {
    const { quotes } = await send<{ quotes: Array<SwapQuote> }>("POST", `${CRYPTO}/swap`, { ...options, body })
    return quotes.map(signable)
  }
  const positionQuote =
    <Request, Quote extends LiquidityQuote>(path: string) =>
    async (body: Request, options?: CallOptions): Promise<Signable<Quote>> =>
      signable((await send<{ operation: Quote }>("POST", `${LIQUIDITY}${path}`, { ...options, body })).operation)
  const transferQuote = async (
    path: string,
    body: BitcoinBumpRequest | TransferRequest,
    options?: CallOptions
  ): Promise<Signable<TransferQuote>> =>
    signable((await send<{ transfer: TransferQuote }>("POST", CRYPTO + path, { ...options, body })).transfer)
  const replacing =
    (how: "bump" | "cancel") =>
    async (transactionId: string, body: BitcoinBumpRequest = {}, options?: CallOptions) =>
      transferQuote(`/bitcoin/${transactionId}/${how}`, body, options)
  return {
    liquidity: {
      create: positionQuote<CreateLiquidityRequest, LiquidityCreation>(""),
      add: positionQuote<AddLiquidityRequest, LiquidityAddition>("/add"),
      withdraw: positionQuote<WithdrawLiquidityRequest, LiquidityWithdrawal>("/withdraw"),
      rebalance: positionQuote<RebalanceLiquidityRequest, LiquidityRebalance>("/rebalance"),
      /** Pools of a chain, the most valuable first, asked for page by page. */
      pools: ({ signal, ...search }: PoolSearch & Pick<CallOptions, "signal">) =>
        pages<LiquidityPool>(async (lastId) => {
          const page = await send<components["schemas"]["LiquidityPools"]>("GET", `${LIQUIDITY}/pools`, {
            signal,
            query: { ...search, lastId }
          })
          return { items: page.pools, nextLastId: page.nextLastId }
        }),
      /** A pool by its id, and what happened in it. What is not counted yet is null. */
      pool: async (
        id: string,
        { rangeInDays, signal }: { readonly rangeInDays?: number } & Pick<CallOptions, "signal"> = {}
      ): Promise<LiquidityPool> =>
        (await send<{ pool: LiquidityPool }>("GET", `${LIQUIDITY}/pools/${id}`, { signal, query: { rangeInDays } }))
          .pool,
      /** A position by the number of its NFT. */
      position: async (chainId: number, tokenId: string, { signal }: CallOptions = {}): Promise<LiquidityPosition> =>
        (await send<{ position: LiquidityPosition }>("GET", `${LIQUIDITY}/positions/${chainId}/${tokenId}`, { signal }))
          .position
    },
    swap: {
      /** The best quote. */
      quote: async (body: SwapRequest, options?: CallOptions): Promise<Signable<SwapQuote>> =>
        (await swapQuotes(body, options))[0]!,
      /** Every quote, best first. */
      quotes: swapQuotes
    },
    transfer: {
      quote: (body: TransferRequest, options?: CallOptions) => transferQuote("/transfer", body, options)
    },
    /** Payments on Bitcoin's chain: `transfer.quote` with chain 0 quotes them. */
    bitcoin: {
      /** Publishes the signed transaction, or PSBT, of a quote. */
      broadcast: (body: BitcoinBroadcastRequest, options?: CallOptions): Promise<BitcoinBroadcast> =>
        send("POST", `${CRYPTO}/bitcoin/broadcast`, { ...options, body }),
      /** The same payment for a higher fee, in the place of one that waits. */
      bump: replacing("bump"),
      /** A transaction that takes back a payment which waits. */
      cancel: replacing("cancel")
    },
    fiat: {
      quoteDeposit: (body: FiatDepositQuoteRequest, options?: CallOptions): Promise<FiatQuote> =>
        send<FiatQuote>("POST", `${FIAT}/deposit/quote`, { ...options, body }),
      quoteWithdrawal: (body: FiatWithdrawalQuoteRequest, options?: CallOptions): Promise<FiatQuote> =>
        send<FiatQuote>("POST", `${FIAT}/withdrawal/quote`, { ...options, body }),
      /** An order that says how to pay the bank. */
      deposit: (body: FiatDepositRequest, options?: CallOptions): Promise<FiatDepositOrder> =>
        send<FiatDepositOrder>("POST", `${FIAT}/deposit`, { ...options, body }),
      /** An order to be signed and executed by its `userOperationHash`. */
      withdraw: (body: FiatWithdrawalRequest, options?: CallOptions): Promise<FiatWithdrawalOrder> =>
        send<FiatWithdrawalOrder>("POST", `${FIAT}/withdrawal`, { ...options, body }),
      order: async (orderId: string, { signal }: CallOptions = {}): Promise<FiatOrderAnswer["order"]> =>
        (await send<FiatOrderAnswer>("GET", `${FIAT}/orders/${orderId}`, { signal })).order,
      orders: (
        query: { readonly walletAddress?: string; readonly individualId?: string } = {},
        { signal }: CallOptions = {}
      ): Promise<FiatOrders> => send<FiatOrders>("GET", `${FIAT}/orders`, { signal, query }),
      limits: (identityId: string, { signal }: CallOptions = {}): Promise<FinancialLimits> =>
        send<FinancialLimits>("GET", `/api/v1/kyc/identities/${identityId}/financial-limits`, { signal })
    },
    batch: {
      quote: async (body: BatchRequest, options?: CallOptions): Promise<Signable<BatchQuote>> =>
        signable(await send<BatchQuote>("POST", `${CRYPTO}/batch-operations`, { ...options, body }))
    },
    lending: {
      quote: async (body: LendingRequest, options?: CallOptions): Promise<Signable<LendingQuote>> =>
        signable(await send<LendingQuote>("POST", "/api/v1/lending/quote", { ...options, body })),
      markets: (query: LendingMarketFilter = {}, { signal }: CallOptions = {}): Promise<LendingMarkets> =>
        send<LendingMarkets>("GET", "/api/v1/lending/markets", { signal, query }),
      /** The supplies and debts of a wallet. */
      positions: (walletAddress: string, { signal }: CallOptions = {}): Promise<LendingPositions> =>
        send<LendingPositions>("GET", `${WALLETS}/${walletAddress}/lending`, { signal })
    }
  }
}

/** Sends a file as a descriptor says. It needs no key. */
const uploadDocument = async ({ fields, url }: UploadDescriptor, file: Blob): Promise<void> => {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append("file", file, "document")
  const response = await fetch(url, { method: "POST", body: form })
  if (response.status !== 204) throw errorOfAnswer(url, response, await response.text())
}

const verifyingIdentities = (send: Send) => {
  const sessionsOf = <Started, Session, Request>(kind: "business" | "individual") => {
    const path = `/api/v1/kyc/${kind}-verification-sessions/standard`
    return {
      /** A session, and how its documents are uploaded. */
      start: (body: Request, options?: CallOptions): Promise<Started> =>
        send<Started>("POST", path, { ...options, body }),
      get: async (sessionId: string, { signal }: CallOptions = {}): Promise<Session> =>
        (await send<{ session: Session }>("GET", `${path}/${sessionId}`, { signal })).session,
      /** Hands the documents in, once each is uploaded. */
      process: (sessionId: string, options?: CallOptions): Promise<void> =>
        send<void>("POST", `${path}/${sessionId}/process`, { ...options })
    }
  }
  return {
    /** Where a customer accepts the terms of a fiat provider. */
    fiatTermsLink: (body: FiatTermsLinkRequest, options?: CallOptions): Promise<FiatTermsLink> =>
      send<FiatTermsLink>("POST", "/api/v1/kyc/fiat-terms-links", { ...options, body }),
    /** Submits what a fiat provider needs of an approved identity. */
    registerWithFiatProvider: async (
      identityId: string,
      body: FiatRegistrationRequest,
      options?: CallOptions
    ): Promise<FiatRegistration> => {
      const path = `/api/v1/kyc/identities/${identityId}/fiat-registrations`
      return (await send<{ registration: FiatRegistration }>("POST", path, { ...options, body })).registration
    },
    businesses: sessionsOf<BusinessSessionStarted, BusinessSession, BusinessVerificationRequest>("business"),
    individuals: sessionsOf<IndividualSessionStarted, IndividualSession, IndividualVerificationRequest>("individual"),
    /** A PDF, JPEG or PNG file with its type, of at most 25 MiB. */
    upload: uploadDocument
  }
}

const historyOf =
  (send: Send) =>
  (walletAddress: string, { signal, ...filter }: HistoryFilter & Pick<CallOptions, "signal"> = {}) =>
    pages<Transaction>(async (lastId) => {
      const page = await send<components["schemas"]["HistoryPage"]>("GET", `${WALLETS}/${walletAddress}/history`, {
        signal,
        query: { ...filter, lastId }
      })
      return { items: page.transactions, nextLastId: page.nextLastId }
    })

const executing = (send: Send) => {
  const transaction = async (id: string, { signal }: CallOptions = {}): Promise<Transaction> =>
    (await send<{ transaction: Transaction }>("GET", `${CRYPTO}/transactions/${id}`, { signal })).transaction
  return {
    /** Accepts a signed quote. The same again gets the same answer: it is executed once. */
    execute: (body: ExecuteRequest, options?: CallOptions): Promise<Execution> =>
      send("POST", `${CRYPTO}/execute`, { ...options, body }),
    /** The same by the hash of a user operation. */
    executeUserOperation: (body: ExecuteUserOperationRequest, options?: CallOptions): Promise<UserOperationExecution> =>
      send("POST", `${CRYPTO}/execute-user-op`, { ...options, body }),
    userOperation: async (hash: string, { signal }: CallOptions = {}): Promise<UserOperation> =>
      (await send<{ userOperation: UserOperation }>("GET", `${CRYPTO}/user-operation/${hash}`, { signal }))
        .userOperation,
    transaction,
    /** Waits for the transaction of an execution to end, and answers it: look at its `status`. `signal` ends the waiting. */
    wait: async (
      { transactionId }: Pick<Execution, "transactionId">,
      { interval = 1_000, signal }: WaitOptions = {}
    ): Promise<Transaction> => {
      for (;;) {
        const current = await transaction(transactionId, { signal })
        if (endings.has(current.status)) return current
        await pause(interval, signal)
      }
    }
  }
}

export interface BitcoinRegistration {
  readonly address: string
  /** Signs with the key of the address, as Bitcoin wallets sign messages, in base64. */
  readonly signMessage: (message: string) => Promise<string> | string
  /** Of P2TR the internal key. Needed for P2TR only: every other proof contains it. */
  readonly publicKey?: string
  /** Where a hardware signer has the key (BIP-32). */
  readonly derivation?: { readonly masterFingerprint: string; readonly path: string }
  readonly metadata?: Record<string, string>
}

const orderingAtLimits = (send: Send) => ({
  limitOrders: {
    /** Hands a signed quote with `minAmountOut` to the order book. The same again gets the same answer. */
    place: (body: PlaceLimitOrderRequest, options?: CallOptions): Promise<PlacedLimitOrder> =>
      send("POST", `${CRYPTO}/limit-orders`, { ...options, body }),
    /** Without a signature: what its owner signs to cancel it. With it: cancelled, unless it was filled before. */
    cancel: (
      transactionId: string,
      body: CancelLimitOrderRequest = {},
      options?: CallOptions
    ): Promise<LimitOrderCancellation> =>
      send("POST", `${CRYPTO}/limit-orders/${transactionId}/cancel`, { ...options, body }),
    /** The limit orders of a wallet, newest first. */
    list: (walletAddress: string, filter: Omit<HistoryFilter, "type"> & Pick<CallOptions, "signal"> = {}) =>
      historyOf(send)(walletAddress, { ...filter, type: ["LIMIT_ORDER"] })
  }
})

const keepingWallets = (send: Send) => {
  const walletOf = async (answer: Promise<{ wallet: Wallet }>): Promise<Wallet> => (await answer).wallet
  return {
    register: (body: RegisterWalletRequest, options?: CallOptions) =>
      walletOf(send("POST", `${WALLETS}/register`, { ...options, body })),
    /** Registers a Bitcoin address: has its owner sign the message that the service asks for (BIP-322). */
    registerBitcoin: async (
      { address, derivation, metadata = {}, publicKey, signMessage }: BitcoinRegistration,
      options: CallOptions = {}
    ): Promise<Wallet> => {
      const query = { address }
      const { signal } = options
      const { message } = await send<{ message: string }>("GET", `${WALLETS}/bitcoin/proof-message`, { signal, query })
      const proof = { message, signature: await signMessage(message) }
      return walletOf(
        send("POST", `${WALLETS}/register`, { ...options, body: { address, proof, publicKey, derivation, metadata } })
      )
    },
    /** The wallet of an owner, registered or not. */
    address: (query: WalletQuery, { signal }: CallOptions = {}) =>
      walletOf(send("GET", `${WALLETS}/address`, { signal, query })),
    get: (walletAddress: string, { signal }: CallOptions = {}) =>
      walletOf(send("GET", `${WALLETS}/${walletAddress}`, { signal })),
    replaceMetadata: (walletAddress: string, metadata: Record<string, string>, { signal }: CallOptions = {}) =>
      walletOf(send("PATCH", `${WALLETS}/${walletAddress}/metadata`, { signal, body: { metadata } })),
    list: async ({ signal }: CallOptions = {}): Promise<Array<Wallet>> =>
      (await send<{ wallets: Array<Wallet> }>("GET", WALLETS, { signal })).wallets,
    /** The same, page by page: for a project with very many. */
    all: ({ signal }: CallOptions = {}) =>
      pages<Wallet>(async (lastId) => {
        const query = { take: 1_000, lastId }
        const page = await send<components["schemas"]["Wallets"]>("GET", WALLETS, { signal, query })
        return { items: page.wallets, nextLastId: page.nextLastId }
      }),
    factories: async ({ signal }: CallOptions = {}): Promise<Array<Factory>> =>
      (await send<{ factories: Array<Factory> }>("GET", `${WALLETS}/factories`, { signal })).factories
  }
}

const exportingForTaxes = (send: Send) => {
  const schedulesOf = (walletAddress: string) => `${WALLETS}/${walletAddress}/tax-export/schedules`
  return {
    /** Mails an export of each month, at the start of the next one. */
    schedule: (walletAddress: string, body: CreateTaxExportScheduleRequest, options?: CallOptions): Promise<void> =>
      send("POST", schedulesOf(walletAddress), { ...options, body }),
    schedules: async (walletAddress: string, { signal }: CallOptions = {}): Promise<Array<TaxExportSchedule>> =>
      (await send<{ schedules: Array<TaxExportSchedule> }>("GET", schedulesOf(walletAddress), { signal })).schedules,
    /** Also where an attempt before has ended it, and its answer was lost. */
    removeSchedule: (walletAddress: string, { signal }: CallOptions = {}): Promise<void> =>
      send<void>("DELETE", schedulesOf(walletAddress), { signal }).catch((error) => {
        if (!(error instanceof CountersignError && error.id === "TAX_EXPORT_SCHEDULE_NOT_FOUND")) throw error
      }),
    /** The export of a month now, in every layout or in those that are named. */
    export: (
      walletAddress: string,
      body: TaxExportRequest,
      { format, ...options }: CallOptions & TaxExportOptions = {}
    ): Promise<TaxExport> =>
      send("POST", `${WALLETS}/${walletAddress}/tax-export`, { ...options, query: { format }, body })
  }
}

type WithSecret = components["schemas"]["WebhookWithSecret"]
/** A webhook and the key that signs what it is sent, for `verifyWebhook`. */
export interface NewWebhook {
  readonly webhook: Webhook
  readonly secret: string
}

const keepingWebhooks = (send: Send) => {
  /** A repeat of an answer has no secret: it is shown once. Where only a repeat arrived, the secret is replaced. */
  const withSecret = async ({ secret, webhook }: WithSecret, { signal }: CallOptions): Promise<NewWebhook> =>
    secret === null ? rotate(webhook.id, { overlapSeconds: 0, signal }) : { webhook, secret }
  const rotate = async (
    id: string,
    { overlapSeconds, ...options }: CallOptions & { readonly overlapSeconds?: number | undefined } = {}
  ): Promise<NewWebhook> => {
    const query = { overlapSeconds }
    return withSecret(await send<WithSecret>("POST", `${WEBHOOKS}/${id}/rotate`, { ...options, query }), options)
  }
  const deliveryOf = async (answer: Promise<{ delivery: WebhookDelivery }>) => (await answer).delivery
  return {
    create: async (body: CreateWebhookRequest, options: CallOptions = {}): Promise<NewWebhook> =>
      withSecret(await send<WithSecret>("POST", WEBHOOKS, { ...options, body }), options),
    /** Replaces the secret. For `overlapSeconds`, a day when left out, deliveries are signed with both. */
    rotate,
    list: async ({ signal }: CallOptions = {}): Promise<Array<Webhook>> =>
      (await send<{ webhooks: Array<Webhook> }>("GET", WEBHOOKS, { signal })).webhooks,
    get: async (id: string, { signal }: CallOptions = {}): Promise<Webhook> =>
      (await send<{ webhook: Webhook }>("GET", `${WEBHOOKS}/${id}`, { signal })).webhook,
    enable: async (id: string, options?: CallOptions): Promise<Webhook> =>
      (await send<{ webhook: Webhook }>("POST", `${WEBHOOKS}/${id}/enable`, options)).webhook,
    /** Also where an attempt before has deleted it, and its answer was lost. */
    remove: (id: string, { signal }: CallOptions = {}): Promise<void> =>
      send<void>("DELETE", `${WEBHOOKS}/${id}`, { signal }).catch((error) => {
        if (!(error instanceof CountersignError && error.id === "WEBHOOK_NOT_FOUND")) throw error
      }),
    test: (id: string, options?: CallOptions) => deliveryOf(send("POST", `${WEBHOOKS}/${id}/test`, options)),
    redeliver: (id: string, deliveryId: string, options?: CallOptions) =>
      deliveryOf(send("POST", `${WEBHOOKS}/${id}/deliveries/${deliveryId}/redeliver`, options)),
    /** The deliveries to it, newest first. */
    deliveries: (id: string, { signal }: CallOptions = {}) =>
      pages<WebhookDelivery>(async (lastId) => {
        const page = await send<components["schemas"]["Deliveries"]>("GET", `${WEBHOOKS}/${id}/deliveries`, {
          signal,
          query: { lastId }
        })
        return { items: page.deliveries, nextLastId: page.nextLastId }
      })
  }
}

/** A client of one service with one API key. */
export const createClient = (options: ClientOptions) => {
  const send = makeSend(options)
  return {
    ...quoting(send),
    ...executing(send),
    ...orderingAtLimits(send),
    /** Every transaction of a wallet, newest first. Pages are fetched as they are needed. */
    history: historyOf(send),
    wallets: keepingWallets(send),
    /** What a wallet holds, and what it has gained: of any address. */
    portfolio: (walletAddress: string, { signal, ...query }: PortfolioQuery & Pick<CallOptions, "signal"> = {}) =>
      send<Portfolio>("GET", `${WALLETS}/${walletAddress}/portfolio`, { signal, query }),
    /** What it was worth over time. */
    portfolioChart: (
      walletAddress: string,
      { signal, ...query }: PortfolioChartQuery & Pick<CallOptions, "signal"> = {}
    ) => send<PortfolioChart>("GET", `${WALLETS}/${walletAddress}/portfolio/chart`, { signal, query }),
    tax: exportingForTaxes(send),
    /** Who people and businesses are. */
    verifications: verifyingIdentities(send),
    webhooks: keepingWebhooks(send),
    chains: async ({ signal }: CallOptions = {}): Promise<Array<Chain>> =>
      (await send<{ chains: Array<Chain> }>("GET", `${CRYPTO}/chains`, { signal })).chains,
    /** One page of the supported tokens. */
    tokens: ({ signal, ...query }: TokenSearch & Pick<CallOptions, "signal"> = {}) =>
      send<components["schemas"]["Tokens"] & { tokens: Array<Token> }>("GET", `${CRYPTO}/tokens`, { signal, query })
  }
}

export type Client = ReturnType<typeof createClient>
