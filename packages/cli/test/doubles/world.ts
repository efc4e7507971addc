import { createHash, randomBytes } from "node:crypto"
import { endpoint } from "@countersign/adapters/api/endpoints"
import { SandboxSigners } from "@countersign/adapters/sandbox"
import { type Extension, Extensions } from "@countersign/adapters/service/composition"
import { sandboxDatabaseFile } from "@countersign/adapters/storage/home"
import { layerSqlite } from "@countersign/adapters/storage/kysely"
import { AddressText, BitcoinAddress, Hash32, type HexBytes } from "@countersign/core/foundation/primitives"
import { QuoteStore } from "@countersign/core/operations/quotes"
import { ProjectId } from "@countersign/core/tenancy/projects"
import { WalletStore } from "@countersign/core/wallets/registry"
import { Context, DateTime, Deferred, Effect, Fiber, Layer, Schema } from "effect"
import { hashTypedData } from "viem"
import { type Bank, bankQuote, bankStage } from "../../../core/test/doubles/bank/bank.ts"
import {
  type BitcoinNetwork,
  bitcoinKind,
  bitcoinProvider,
  signedTransaction
} from "../../../core/test/doubles/bitcoin/bitcoin.ts"
import { type Bridge, bridgeProvider } from "../../../core/test/doubles/bridge/bridge.ts"
import { type OrderBook, orderBookProvider } from "../../../core/test/doubles/order-book/orderBook.ts"
import { layerSandbox } from "../../src/sandbox/index.ts"

const aHash = (): Hash32 => Hash32.make(`0x${randomBytes(32).toString("hex")}`)

export const BITCOIN_WALLET = BitcoinAddress.make("bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4")

const contractAddressOf = (name: string) => `0x${createHash("sha256").update(name).digest("hex").slice(0, 40)}` as const

/** The endpoint of the bank. This operation type defines a separate endpoint. */
const bankDepositEndpoint = endpoint({
  id: "bank.quote",
  method: "POST",
  path: "/api/v1/bank/deposits",
  summary: "Quote a deposit",
  description: "Asks for no signature.",
  payload: Schema.Struct({
    walletAddress: AddressText,
    currency: Schema.String,
    amount: Schema.BigIntFromString
  }).annotate({ identifier: "BankDepositRequest", description: "A deposit" }),
  success: Schema.Struct({ quoteId: Schema.String, signData: Schema.Array(Schema.Never) }),
  status: 201,
  errors: [],
  scope: "quote",
  cost: "quote",
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const quote = bankQuote({ ...payload, id: aHash(), projectId: project.id, now: yield* DateTime.now })
    yield* Effect.orDie((yield* QuoteStore).insert([quote]))
    return { quoteId: quote.id, signData: [] }
  })
})

/** Returns the state of the doubles, which a test can change. */
export const makeDoubles = () => {
  const bridge: Bridge = {
    address: contractAddressOf("bridge") as Bridge["address"],
    fills: new Map(),
    refunds: new Map()
  }
  const orderBook: OrderBook = {
    address: contractAddressOf("book") as OrderBook["address"],
    orders: new Map(),
    isAllowedOnChain: false,
    salt: 0,
    digestOf: (typedData) => hashTypedData(typedData as Parameters<typeof hashTypedData>[0])
  }
  const network: BitcoinNetwork = {
    height: 0n,
    transactions: new Map(),
    replacements: new Map(),
    newTransaction: aHash,
    broadcast: (signedBytes) => {
      const txid = Hash32.make(`0x${createHash("sha256").update(signedBytes).digest("hex")}`)
      network.transactions.set(txid, null)
      return txid
    }
  }
  const bank: Bank = { received: new Map() }
  const extensions: ReadonlyArray<Extension> = [
    { swapProviders: [bridgeProvider(bridge), orderBookProvider(orderBook)] },
    { swapProviders: [bitcoinProvider(network)], intentKinds: [bitcoinKind] },
    { stages: Effect.succeed([bankStage(bank)]), endpoints: [bankDepositEndpoint] }
  ]
  return { bridge, book: orderBook, network, bank, extensions }
}

/** The signers of the Bitcoin wallet. Its owner is not an owner of the sandbox. */
export const bitcoinSigners = new Map([
  [
    "sign_psbt" as const,
    ({ hash }: { readonly hash: Hash32 }): Effect.Effect<HexBytes> => Effect.succeed(signedTransaction(hash))
  ]
])

/** Returns the services that commands require. */
export const contextOf = (extensions: ReadonlyArray<Extension>) =>
  Context.make(Extensions, extensions).pipe(Context.add(SandboxSigners, bitcoinSigners))

/** Starts a sandbox in this process, with additional operation types. */
export const startSandboxWith = async (home: string, extensions: ReadonlyArray<Extension>) => {
  const readySandbox = Deferred.makeUnsafe<{
    readonly baseUrl: string
    readonly apiKey: string
    readonly projectId: string
  }>()
  const fiber = Effect.runFork(
    Layer.launch(
      layerSandbox({
        home,
        port: 0,
        host: "127.0.0.1",
        publicUrl: null,
        fresh: true,
        onReady: ({ file }) =>
          Deferred.succeed(readySandbox, { baseUrl: file.baseUrl, apiKey: file.apiKey, projectId: file.project.id })
      }).pipe(Layer.provide(Layer.succeed(Extensions, extensions)))
    ).pipe(Effect.tapCause((cause) => Deferred.failCause(readySandbox, cause as never)))
  )
  const service = await Effect.runPromise(Deferred.await(readySandbox))
  const wallet = {
    type: "BITCOIN" as const,
    ownership: "PROVEN" as const,
    key: null,
    address: BITCOIN_WALLET,
    projectId: ProjectId.make(service.projectId),
    metadata: {},
    registeredAt: DateTime.makeUnsafe(0),
    lastTransactionAt: null
  }
  await Effect.runPromise(
    WalletStore.use((store) => store.insert(wallet)).pipe(Effect.provide(layerSqlite(sandboxDatabaseFile(home))))
  )
  return { ...service, stop: () => Effect.runPromise(Fiber.interrupt(fiber)) }
}
