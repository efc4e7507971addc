/** Values of the sandbox, the same in each: wallets of known keys, and tokens at their addresses on Ethereum. */
const SESSION = "kyc_0f8fad5bd9cb469fa16570867728950e"
const PERSON = {
  firstName: "Ana",
  lastName: "Souza",
  documentId: "FX123456",
  documentCategory: "PASSPORT",
  documentCountry: "BRAZIL",
  birthDate: "1990-12-31",
  nationality: "BRAZILIAN",
  address: "Rua das Flores 12",
  city: "Curitiba",
  state: "PR",
  postalCode: "80010-000"
}
const WALLET = "0x4430db0f80cd90ab544382d5add6a6f41c903731"
const OWNER = "0x9965507d1a55bcc2695c58ba16fb37d819b0a4dc"
const FACTORY = "0x91e60e0613810449d098b0b5ec8b51a0fe8c8985"
const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48"
const WETH = "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
const BITCOIN_ADDRESS = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"
const POOL = "1-0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
const RECEIVER = "0x00000000000000000000000000000000000000a1"

/** Stands for what exists only at run time. A link says which answer has it; a sandbox puts values of its own here. */
const HASH = `0x${"11".repeat(32)}`
const SIGNATURE = `0x${"22".repeat(65)}`
/** The shortest that a transaction can be: what is quoted decides what it must be. */
const SIGNED_TRANSACTION = `0x02000000${"00".repeat(6)}`
const POSITION = "1"
const UUID = "6c1b6a0e-0f53-4c0e-a2a5-6a4b5a7c6f0d"

/** What an operation is asked with. */
export interface Example {
  readonly body?: unknown
  readonly parameters?: Readonly<Record<string, unknown>>
}

/** By the id of the operation. Null where no request of it can succeed on this service. */
export type Examples = Readonly<Record<string, Example | null>>

const INDIVIDUAL = "individual-2"
const PIX = { type: "PIX" }

const gas = { gasFeePaymentMethod: "ADD_TO_AMOUNT", payGasFeeToken: USDC }

/** One for each operation that takes something. */
export const examples: Examples = {
  "swap.quote": {
    body: {
      walletAddress: WALLET,
      toAddress: WALLET,
      chainIdIn: 1,
      chainIdOut: 1,
      tokenIn: USDC,
      tokenOut: WETH,
      amountIn: "100",
      ...gas,
      metadata: { order: "42" }
    }
  },
  "limitOrders.place": { body: { quoteId: HASH, signature: SIGNATURE } },
  "limitOrders.cancel": { body: {}, parameters: { transactionId: UUID } },
  "transfer.quote": {
    body: { walletAddress: WALLET, chainId: 1, token: USDC, amount: "25", toAddress: RECEIVER, ...gas }
  },
  "fiat.depositQuote": {
    body: {
      paymentMethod: PIX,
      from: { currency: "BRL", amount: "541" },
      to: { currency: "USDC" },
      chainId: 1,
      walletAddress: WALLET,
      individualId: INDIVIDUAL
    }
  },
  "fiat.withdrawalQuote": {
    body: {
      paymentMethod: PIX,
      from: { currency: "USDC", amount: "100" },
      to: { currency: "BRL" },
      chainId: 1,
      walletAddress: WALLET,
      individualId: INDIVIDUAL
    }
  },
  "fiat.deposit": { body: { quoteId: UUID } },
  "fiat.withdrawal": { body: { quoteId: UUID, paymentMethod: { ...PIX, pixKey: "529.982.247-25" } } },
  "fiat.order": { parameters: { orderId: UUID } },
  "fiat.orders": { parameters: { walletAddress: WALLET, individualId: INDIVIDUAL } },
  "fiat.limits": { parameters: { identityId: INDIVIDUAL } },
  "bitcoin.broadcast": { body: { quoteId: HASH, signedTransactionHex: SIGNED_TRANSACTION } },
  "bitcoin.bump": { body: { feeRate: 12.5 }, parameters: { transactionId: UUID } },
  "bitcoin.cancel": { body: {}, parameters: { transactionId: UUID } },
  "batch.quote": {
    body: {
      walletAddress: WALLET,
      chainId: 1,
      operations: [
        { type: "swap", params: { amountIn: "100", tokenIn: USDC, tokenOut: WETH, ...gas } },
        { type: "transfer", params: { token: USDC, amount: "10", toAddress: RECEIVER, ...gas } }
      ]
    }
  },
  "lending.quote": {
    body: {
      walletAddress: WALLET,
      provider: "LENDING_PROVIDER_A",
      supply: { chainId: 1, tokenAddress: USDC, amount: "100" },
      borrow: { chainId: 1, tokenAddress: WETH, amount: "0.01" },
      gas: { paymentMethod: "ADD_TO_AMOUNT", tokenAddress: USDC }
    }
  },
  "lending.markets": { parameters: { chainId: 1, provider: "LENDING_PROVIDER_A" } },
  "lending.positions": { parameters: { walletAddress: WALLET } },
  "liquidity.create": {
    body: {
      walletAddress: WALLET,
      toAddress: WALLET,
      chainId: 1,
      tokenIn: USDC,
      amountIn: "1000",
      token0: WETH,
      token1: USDC,
      poolFeePercent: 0.3,
      minPrice: 2500,
      maxPrice: 3600,
      ...gas
    }
  },
  "liquidity.add": {
    body: {
      walletAddress: WALLET,
      chainId: 1,
      tokenId: POSITION,
      tokenIn: USDC,
      amountIn: "100",
      minPrice: 2500,
      maxPrice: 3600,
      ...gas
    }
  },
  "liquidity.withdraw": {
    body: {
      walletAddress: WALLET,
      toAddress: WALLET,
      chainId: 1,
      tokenId: POSITION,
      tokenOut: USDC,
      percentage: 50,
      payGasFeeToken: USDC
    }
  },
  "liquidity.rebalance": {
    body: {
      walletAddress: WALLET,
      toAddress: WALLET,
      chainId: 1,
      tokenId: POSITION,
      newPosition: { minPrice: 0.0003, maxPrice: 0.0004 },
      payGasFeeToken: USDC
    }
  },
  "executions.execute": { body: { quoteId: HASH, signatures: { [HASH]: SIGNATURE } } },
  "executions.transaction": { parameters: { transactionId: UUID } },
  "userOperations.execute": { body: { userOperationHash: HASH, signature: SIGNATURE } },
  "userOperations.get": { parameters: { userOperationHash: HASH } },
  "wallets.register": {
    body: { externallyOwnedAccount: OWNER, factory: FACTORY, salt: "1", metadata: { customer: "7" } }
  },
  "wallets.bitcoinProofMessage": { parameters: { address: BITCOIN_ADDRESS } },
  "wallets.replaceMetadata": { parameters: { walletAddress: WALLET }, body: { metadata: { customer: "7" } } },
  "wallets.address": { parameters: { externallyOwnedAccount: OWNER, factory: FACTORY } },
  "wallets.show": { parameters: { walletAddress: WALLET } },
  "wallets.portfolio": {
    parameters: { walletAddress: WALLET, includeTokens: true, includePnL: true, timerange: "all" }
  },
  "wallets.portfolioChart": { parameters: { walletAddress: WALLET, timerange: "7d" } },
  "tax.schedule": {
    parameters: { walletAddress: WALLET },
    body: {
      email: "owner@example.com",
      individual: { type: "individual", individualId: "individual-7" },
      emailCustomization: { senderName: "Example Bank", locale: "pt-BR" },
      recurrencePreset: "MONTHLY_START",
      timezone: "America/Sao_Paulo"
    }
  },
  "tax.schedules": { parameters: { walletAddress: WALLET } },
  "tax.removeSchedule": { parameters: { walletAddress: WALLET } },
  "tax.export": { parameters: { walletAddress: WALLET, format: ["koinly"] }, body: { month: "2026-10" } },
  "verification.startBusiness": {
    body: {
      legalName: "Padaria Souza Ltda",
      email: "contato@padaria.example",
      documentId: "33000167000101",
      legalNature: "LTDA",
      phoneNumber: "5541999990000",
      city: "Curitiba",
      postalCode: "80010-000",
      state: "PR",
      streetLine1: "Rua das Flores 12",
      country: "BRAZIL",
      owners: [PERSON]
    }
  },
  "verification.business": { parameters: { sessionId: SESSION } },
  "verification.processBusiness": { parameters: { sessionId: SESSION } },
  "verification.startIndividual": { body: PERSON },
  "verification.fiatTermsLink": { body: { provider: "bridge", redirectUrl: "https://app.example.com/terms-accepted" } },
  "verification.fiatRegistration": {
    body: {
      provider: "bridge",
      agreementId: "d536a227-06d3-4de1-acd3-8b5131730480",
      details: { email: "ana@example.com" }
    },
    parameters: { identityId: INDIVIDUAL }
  },
  "verification.individual": { parameters: { sessionId: SESSION } },
  "verification.processIndividual": { parameters: { sessionId: SESSION } },
  "wallets.history": { parameters: { walletAddress: WALLET, take: 10, chains: [1] } },
  "catalog.tokens": { parameters: { search: "USDC", chains: [1, 8453], perPage: 20 } },
  "pools.show": { parameters: { id: POOL, rangeInDays: 7 } },
  "pools.search": { parameters: { chainId: 1, token0: USDC, token1: WETH, fee: 0.05, take: 10 } },
  "pools.position": { parameters: { chainId: 1, tokenId: "1" } },
  "webhooks.create": {
    body: {
      url: "http://127.0.0.1:4000/countersign",
      eventTypes: ["transaction.*"],
      description: "Orders"
    }
  },
  "webhooks.show": { parameters: { id: UUID } },
  "webhooks.enable": { parameters: { id: UUID } },
  "webhooks.rotate": { parameters: { id: UUID, overlapSeconds: 3600 } },
  "webhooks.test": { parameters: { id: UUID } },
  "webhooks.deliveries": { parameters: { id: UUID, take: 10 } },
  "webhooks.redeliver": { parameters: { id: UUID, deliveryId: UUID } },
  "webhooks.remove": { parameters: { id: UUID } }
}
