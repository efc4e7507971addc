// Generated from the endpoints by `npm run client:types -w packages/http`. A test compares it with the endpoints.

/**
 * The request of each call: method and path, `body` and `query` if the call has them, and the response field that the
 * call returns. A star marks a paginated list.
 */
export const requests: Readonly<Record<string, string | Readonly<Record<string, string>>>> = {
  swap: {
    quotes: "POST /api/v1/crypto/swap body .quotes"
  },
  limitOrders: {
    place: "POST /api/v1/crypto/limit-orders body",
    cancel: "POST /api/v1/crypto/limit-orders/:transactionId/cancel body"
  },
  bitcoin: {
    broadcast: "POST /api/v1/crypto/bitcoin/broadcast body",
    bump: "POST /api/v1/crypto/bitcoin/:transactionId/bump body .transfer",
    cancel: "POST /api/v1/crypto/bitcoin/:transactionId/cancel body .transfer"
  },
  transfer: {
    quote: "POST /api/v1/crypto/transfer body .transfer"
  },
  batch: {
    quote: "POST /api/v1/crypto/batch-operations body"
  },
  liquidity: {
    create: "POST /api/v1/liquidity body .operation",
    add: "POST /api/v1/liquidity/add body .operation",
    withdraw: "POST /api/v1/liquidity/withdraw body .operation",
    rebalance: "POST /api/v1/liquidity/rebalance body .operation",
    pool: "GET /api/v1/liquidity/pools/:id query .pool",
    pools: "GET /api/v1/liquidity/pools query *pools",
    position: "GET /api/v1/liquidity/positions/:chainId/:tokenId .position"
  },
  lending: {
    quote: "POST /api/v1/lending/quote body",
    markets: "GET /api/v1/lending/markets query",
    positions: "GET /api/v1/wallets/:walletAddress/lending"
  },
  execute: "POST /api/v1/crypto/execute body",
  userOperations: {
    execute: "POST /api/v1/crypto/execute-user-op body",
    get: "GET /api/v1/crypto/user-operation/:userOperationHash .userOperation"
  },
  wallets: {
    register: "POST /api/v1/wallets/register body .wallet",
    bitcoinProofMessage: "GET /api/v1/wallets/bitcoin/proof-message query",
    replaceMetadata: "PATCH /api/v1/wallets/:walletAddress/metadata body .wallet",
    address: "GET /api/v1/wallets/address query .wallet",
    list: "GET /api/v1/wallets query *wallets",
    factories: "GET /api/v1/wallets/factories .factories",
    get: "GET /api/v1/wallets/:walletAddress .wallet"
  },
  history: {
    list: "GET /api/v1/wallets/:walletAddress/history query *transactions",
    get: "GET /api/v1/crypto/transactions/:transactionId .transaction"
  },
  portfolio: {
    get: "GET /api/v1/wallets/:walletAddress/portfolio query",
    chart: "GET /api/v1/wallets/:walletAddress/portfolio/chart query"
  },
  tax: {
    schedule: "POST /api/v1/wallets/:walletAddress/tax-export/schedules body",
    export: "POST /api/v1/wallets/:walletAddress/tax-export body query",
    schedules: "GET /api/v1/wallets/:walletAddress/tax-export/schedules .schedules",
    removeSchedule: "DELETE /api/v1/wallets/:walletAddress/tax-export/schedules"
  },
  fiat: {
    quoteDeposit: "POST /api/v2/fiat/deposit/quote body",
    quoteWithdrawal: "POST /api/v2/fiat/withdrawal/quote body",
    deposit: "POST /api/v2/fiat/deposit body",
    withdraw: "POST /api/v2/fiat/withdrawal body",
    order: "GET /api/v2/fiat/orders/:orderId .order",
    orders: "GET /api/v2/fiat/orders query .orders",
    limits: "GET /api/v1/kyc/identities/:identityId/financial-limits"
  },
  kyc: {
    startBusiness: "POST /api/v1/kyc/business-verification-sessions/standard body",
    business: "GET /api/v1/kyc/business-verification-sessions/standard/:sessionId",
    processBusiness: "POST /api/v1/kyc/business-verification-sessions/standard/:sessionId/process",
    startIndividual: "POST /api/v1/kyc/individual-verification-sessions/standard body",
    individual: "GET /api/v1/kyc/individual-verification-sessions/standard/:sessionId",
    processIndividual: "POST /api/v1/kyc/individual-verification-sessions/standard/:sessionId/process",
    fiatTermsLink: "POST /api/v1/kyc/fiat-terms-links body",
    registerWithFiatProvider: "POST /api/v1/kyc/identities/:identityId/fiat-registrations body .registration"
  },
  catalog: {
    chains: "GET /api/v1/crypto/chains .chains",
    providers: "GET /api/v1/crypto/providers .providers",
    tokens: "GET /api/v1/crypto/tokens query"
  },
  webhooks: {
    create: "POST /api/v1/webhooks body",
    enable: "POST /api/v1/webhooks/:id/enable .webhook",
    rotate: "POST /api/v1/webhooks/:id/rotate query",
    test: "POST /api/v1/webhooks/:id/test .delivery",
    redeliver: "POST /api/v1/webhooks/:id/deliveries/:deliveryId/redeliver .delivery",
    list: "GET /api/v1/webhooks .webhooks",
    get: "GET /api/v1/webhooks/:id .webhook",
    remove: "DELETE /api/v1/webhooks/:id",
    deliveries: "GET /api/v1/webhooks/:id/deliveries query *deliveries"
  },
  admin: {
    work: "GET /api/v1/admin/work",
    budgets: "GET /api/v1/admin/budgets",
    sessions: "GET /api/v1/admin/identity-sessions query .sessions",
    session: "GET /api/v1/admin/identity-sessions/:sessionId",
    approve: "POST /api/v1/admin/identity-sessions/:sessionId/approve body",
    reject: "POST /api/v1/admin/identity-sessions/:sessionId/reject body",
    accesses: "GET /api/v1/admin/personal-data-accesses query .accesses",
    keys: "GET /api/v1/admin/keys .keys",
    createKey: "POST /api/v1/admin/keys body",
    revokeKey: "DELETE /api/v1/admin/keys/:keyId",
    projects: "GET /api/v1/admin/projects .projects",
    balances: "GET /api/v1/admin/balances",
    installationWork: "GET /api/v1/admin/installation-work"
  }
}
