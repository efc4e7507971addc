import { History } from "@countersign/core/accounting/history"
import { ServedChains } from "@countersign/core/foundation/chains"
import { described } from "@countersign/core/foundation/primitives"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { BitcoinWallets, Wallets, type WalletView } from "@countersign/core/wallets/registry"
import { Effect, Stream } from "effect"
import { transactionBodies } from "../presenters/index.ts"
import {
  accountRequestOf,
  FactoriesResponse,
  HistoryQuery,
  HistoryResponse,
  historyFilterOf,
  LinkBase,
  MAX_WALLETS_PAGE,
  MetadataPatchBody,
  ProofMessageQuery,
  ProofMessageResponse,
  RegisterBody,
  registrationOf,
  requireDatesInOrder,
  requireMetadataPair,
  WalletAddressText,
  WalletQuery,
  WalletResponse,
  WalletsQuery,
  WalletsResponse,
  walletBody
} from "../wire/index.ts"
import { endpoint } from "./Endpoint.ts"

export const walletPath = { walletAddress: WalletAddressText.pipe(described("Address of the wallet")) }

const showing = Effect.fnUntraced(function* (wallet: WalletView) {
  return { wallet: walletBody(yield* LinkBase, yield* ServedChains, wallet) }
})

export const walletRegister = endpoint({
  id: "wallets.register",
  method: "POST",
  path: "/api/v1/wallets/register",
  summary: "Register an owner's smart wallet, or a Bitcoin address, with the project",
  description:
    "Nothing goes on chain: a smart wallet's first operation deploys it. Each `salt` gives another wallet of the owner, and a wallet is registered once. A Bitcoin wallet is given by `address` and `proof`: its owner signs the message of GET /api/v1/wallets/bitcoin/proof-message. Register a Bitcoin address again to add what it lacks: a proof to an address that an operator attached, `publicKey` or `derivation`.",
  payload: RegisterBody,
  success: WalletResponse,
  status: 201,
  errors: ["FACTORY_NOT_SUPPORTED", "WALLET_ALREADY_REGISTERED"],
  scope: "execute",
  cost: null,
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const given = yield* registrationOf(payload)
    return yield* showing(
      given.type === "BITCOIN"
        ? yield* (yield* BitcoinWallets).register(project.id, given.registration)
        : yield* (yield* Wallets).register(project.id, given.request, given.metadata)
    )
  })
})

export const bitcoinProofMessage = endpoint({
  id: "wallets.bitcoinProofMessage",
  method: "GET",
  path: "/api/v1/wallets/bitcoin/proof-message",
  summary: "The message with which the owner of a Bitcoin address registers it",
  description: "It names the project and the address, so that a signature is of no use to another project.",
  query: ProofMessageQuery,
  success: ProofMessageResponse,
  errors: [],
  scope: "read",
  cost: null,
  run: Effect.fnUntraced(function* ({ project, query: { address } }) {
    return { address, message: yield* (yield* BitcoinWallets).messageToSign(project.id, address) }
  })
})

export const walletReplaceMetadata = endpoint({
  id: "wallets.replaceMetadata",
  method: "PATCH",
  path: "/api/v1/wallets/:walletAddress/metadata",
  summary: "Replace the metadata of a wallet",
  description: "All pairs that it had are gone.",
  params: walletPath,
  payload: MetadataPatchBody,
  success: WalletResponse,
  errors: ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"],
  scope: "execute",
  cost: null,
  run: Effect.fnUntraced(function* ({ params, payload, project }) {
    return yield* showing(yield* (yield* Wallets).replaceMetadata(project.id, params.walletAddress, payload.metadata))
  })
})

export const walletAddress = endpoint({
  id: "wallets.address",
  method: "GET",
  path: "/api/v1/wallets/address",
  summary: "The smart wallet of an owner, registered or not",
  description: "Computes its address. `registeredAt` is null where the project has not registered it.",
  query: WalletQuery,
  success: WalletResponse,
  errors: ["FACTORY_NOT_SUPPORTED", "PROJECT_NOT_FOUND"],
  scope: "read",
  cost: "read",
  run: Effect.fnUntraced(function* ({ project, query }) {
    const request = yield* accountRequestOf(query)
    return yield* showing(yield* (yield* Wallets).lookUp(project.id, request))
  })
})

const isForAll = ({ lastId, take }: { readonly lastId?: unknown; readonly take?: unknown }): boolean =>
  lastId === undefined && take === undefined

const pagesOf = Effect.fnUntraced(function* (projectId: ProjectId) {
  const [base, served] = [yield* LinkBase, yield* ServedChains]
  const wallets = yield* Wallets
  return Stream.map(wallets.all(projectId), (page) => page.map((wallet) => walletBody(base, served, wallet)))
})

export const walletList = endpoint({
  id: "wallets.list",
  method: "GET",
  path: "/api/v1/wallets",
  summary: "Every wallet of the project, oldest registration first",
  description:
    "All of them, or one page with `take`; `lastId` takes `nextLastId` of the page before it. `deployed` is what was last seen of each; GET /api/v1/wallets/{walletAddress} asks the chains.",
  query: WalletsQuery,
  success: WalletsResponse,
  errors: [],
  scope: "read",
  cost: "read",
  stream: {
    field: "wallets",
    others: { nextLastId: null },
    pages: ({ project, query }) => (isForAll(query) ? Stream.unwrap(pagesOf(project.id)) : null)
  },
  run: Effect.fnUntraced(function* ({ project, query }) {
    if (isForAll(query)) {
      const pages = yield* Stream.runCollect(yield* pagesOf(project.id))
      return { wallets: pages.flat(), nextLastId: null }
    }
    const [base, served] = [yield* LinkBase, yield* ServedChains]
    const { nextLastId, wallets } = yield* (yield* Wallets).list(project.id, {
      take: query.take ?? MAX_WALLETS_PAGE,
      lastId: query.lastId ?? null
    })
    return { wallets: wallets.map((wallet) => walletBody(base, served, wallet)), nextLastId }
  })
})

export const walletFactories = endpoint({
  id: "wallets.factories",
  method: "GET",
  path: "/api/v1/wallets/factories",
  summary: "The supported account factories",
  description: "The account kinds that a wallet can be of.",
  success: FactoriesResponse,
  errors: [],
  scope: "read",
  cost: "read",
  run: () => Wallets.useSync(({ factories }) => ({ factories }))
})

export const walletShow = endpoint({
  id: "wallets.show",
  method: "GET",
  path: "/api/v1/wallets/:walletAddress",
  summary: "A registered wallet",
  description: "The chains are asked where it is deployed.",
  params: walletPath,
  success: WalletResponse,
  errors: ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"],
  scope: "read",
  cost: "read",
  run: Effect.fnUntraced(function* ({ params, project }) {
    return yield* showing(yield* (yield* Wallets).show(project.id, params.walletAddress))
  })
})

export const walletHistory = endpoint({
  id: "wallets.history",
  method: "GET",
  path: "/api/v1/wallets/:walletAddress/history",
  summary: "Transactions of a wallet, newest first, pending ones included",
  description: "One page. `lastId` takes `nextLastId` of the page before it.",
  params: walletPath,
  query: HistoryQuery,
  deprecated: ["chainInId", "chainOutId"],
  success: HistoryResponse,
  errors: ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"],
  scope: "read",
  cost: "read",
  run: Effect.fnUntraced(function* ({ params, project, query }) {
    yield* requireMetadataPair(query)
    yield* requireDatesInOrder(query)
    const { nextLastId, transactions } = yield* (yield* History).list(project.id, {
      walletAddress: params.walletAddress,
      filter: historyFilterOf(query),
      lastId: query.lastId ?? null,
      take: query.take
    })
    return { nextLastId, transactions: yield* transactionBodies(transactions) }
  })
})
