import { ServedChains } from "@countersign/core/foundation/chains"
import type { ProjectId } from "@countersign/core/tenancy/projects"
import { BitcoinWallets, Wallets, type WalletsPage, type WalletView } from "@countersign/core/wallets/registry"
import { Effect } from "effect"
import {
  accountRequestOf,
  FactoriesResponse,
  LinkBase,
  MAX_WALLETS_PAGE,
  MetadataPatchBody,
  ProofMessageQuery,
  ProofMessageResponse,
  RegisterBody,
  registrationOf,
  WalletQuery,
  WalletResponse,
  WalletsQuery,
  WalletsResponse,
  walletBody
} from "../wire/index.ts"
import { endpoint, type ListPage } from "./Endpoint.ts"
import { BITCOIN_ADDRESS, FACTORY, OWNER, WALLET } from "./exampleValues.ts"
import { walletPath } from "./walletPath.ts"

const walletResponse = Effect.fnUntraced(function* (wallet: WalletView) {
  return { wallet: walletBody(yield* LinkBase, yield* ServedChains, wallet) }
})

const register = endpoint({
  id: "wallets.register",
  method: "POST",
  path: "/api/v1/wallets/register",
  summary: "Register a smart wallet or a Bitcoin address",
  description:
    "Registration sends no transaction: a smart wallet's first operation deploys it. An owner has a different wallet for each `salt`. A smart wallet can be registered only once. A Bitcoin wallet needs `address` and `proof`, the owner's signature of the message of GET /api/v1/wallets/bitcoin/proof-message. Register a Bitcoin address again to add `publicKey`, `derivation`, or the proof of an address that an operator attached.",
  payload: RegisterBody,
  success: WalletResponse,
  responses: "wallet",
  status: 201,
  errors: ["FACTORY_NOT_SUPPORTED", "WALLET_ALREADY_REGISTERED"],
  scope: "execute",
  cost: null,
  example: {
    body: { externallyOwnedAccount: OWNER, factory: FACTORY, salt: "1", metadata: { customer: "7" } }
  },
  run: Effect.fnUntraced(function* ({ payload, project }) {
    const registration = yield* registrationOf(payload)
    return yield* walletResponse(
      registration.type === "BITCOIN"
        ? yield* (yield* BitcoinWallets).register(project.id, registration.registration)
        : yield* (yield* Wallets).register(project.id, registration.request, registration.metadata)
    )
  })
})

const bitcoinProofMessage = endpoint({
  id: "wallets.bitcoinProofMessage",
  method: "GET",
  path: "/api/v1/wallets/bitcoin/proof-message",
  summary: "Get the message to sign to register a Bitcoin address",
  description:
    "The owner of the address signs the message. The message contains the project and the address, so that another project can't use the signature.",
  query: ProofMessageQuery,
  success: ProofMessageResponse,
  errors: [],
  scope: "read",
  cost: null,
  example: { parameters: { address: BITCOIN_ADDRESS } },
  run: Effect.fnUntraced(function* ({ project, query: { address } }) {
    return { address, message: yield* (yield* BitcoinWallets).messageToSign(project.id, address) }
  })
})

const replaceMetadata = endpoint({
  id: "wallets.replaceMetadata",
  method: "PATCH",
  path: "/api/v1/wallets/:walletAddress/metadata",
  summary: "Replace the metadata of a wallet",
  description: "Deletes all previous key/value pairs.",
  params: walletPath,
  payload: MetadataPatchBody,
  success: WalletResponse,
  responses: "wallet",
  errors: ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"],
  scope: "execute",
  cost: null,
  example: { parameters: { walletAddress: WALLET }, body: { metadata: { customer: "7" } } },
  run: Effect.fnUntraced(function* ({ params, payload, project }) {
    return yield* walletResponse(
      yield* (yield* Wallets).replaceMetadata(project.id, params.walletAddress, payload.metadata)
    )
  })
})

const address = endpoint({
  id: "wallets.address",
  method: "GET",
  path: "/api/v1/wallets/address",
  summary: "Get the smart wallet of an owner",
  description:
    "Computes the wallet's address from the owner, the factory and the salt. `registeredAt` is null if the project has not registered the wallet.",
  query: WalletQuery,
  success: WalletResponse,
  responses: "wallet",
  errors: ["FACTORY_NOT_SUPPORTED", "PROJECT_NOT_FOUND"],
  scope: "read",
  cost: "read",
  example: { parameters: { externallyOwnedAccount: OWNER, factory: FACTORY } },
  run: Effect.fnUntraced(function* ({ project, query }) {
    const request = yield* accountRequestOf(query)
    return yield* walletResponse(yield* (yield* Wallets).lookUp(project.id, request))
  })
})

const isForAllWallets = ({ lastId, take }: { readonly lastId?: unknown; readonly take?: unknown }): boolean =>
  lastId === undefined && take === undefined

const firstPageOf = Effect.fnUntraced(function* (projectId: ProjectId) {
  const [base, servedChains] = [yield* LinkBase, yield* ServedChains]
  const pageOf = ({ next, wallets }: WalletsPage): ListPage<ReturnType<typeof walletBody>> => ({
    items: wallets.map((wallet) => walletBody(base, servedChains, wallet)),
    next: next === null ? null : Effect.map(next, pageOf)
  })
  return pageOf(yield* (yield* Wallets).readAllPages(projectId))
})

const list = endpoint({
  id: "wallets.list",
  method: "GET",
  path: "/api/v1/wallets",
  summary: "List the wallets of the project, oldest registration first",
  description:
    "A response contains all wallets, or one page if `take` is set; for the next page, set `lastId` to the `nextLastId` of the response. `deployed` is the result of the last check of each wallet; GET /api/v1/wallets/{walletAddress} reads the chains again.",
  query: WalletsQuery,
  success: WalletsResponse,
  responses: "wallets",
  errors: [],
  scope: "read",
  cost: "read",
  stream: {
    field: "wallets",
    others: { nextLastId: null },
    firstPage: ({ project, query }) => (isForAllWallets(query) ? firstPageOf(project.id) : null)
  },
  run: Effect.fnUntraced(function* ({ project, query }) {
    if (isForAllWallets(query)) {
      const page = yield* firstPageOf(project.id)
      const wallets = [...page.items]
      for (let { next } = page; next !== null; ) {
        const nextPage = yield* next
        wallets.push(...nextPage.items)
        next = nextPage.next
      }
      return { wallets, nextLastId: null }
    }
    const [base, servedChains] = [yield* LinkBase, yield* ServedChains]
    const { nextLastId, wallets } = yield* (yield* Wallets).list(project.id, {
      take: query.take ?? MAX_WALLETS_PAGE,
      lastId: query.lastId ?? null
    })
    return { wallets: wallets.map((wallet) => walletBody(base, servedChains, wallet)), nextLastId }
  })
})

const factories = endpoint({
  id: "wallets.factories",
  method: "GET",
  path: "/api/v1/wallets/factories",
  summary: "List the supported account factories",
  description: "Returns the account implementations that a wallet can use.",
  success: FactoriesResponse,
  responses: "factories",
  errors: [],
  scope: "read",
  cost: "read",
  run: () => Wallets.useSync(({ factories }) => ({ factories }))
})

const get = endpoint({
  id: "wallets.get",
  method: "GET",
  path: "/api/v1/wallets/:walletAddress",
  summary: "Get a registered wallet",
  description: "Returns the wallet. The service checks on each chain whether the wallet is deployed.",
  params: walletPath,
  success: WalletResponse,
  responses: "wallet",
  errors: ["ACCOUNT_ABSTRACTION_ADDRESS_NOT_REGISTERED_WITH_PROJECT"],
  scope: "read",
  cost: "read",
  example: { parameters: { walletAddress: WALLET } },
  run: Effect.fnUntraced(function* ({ params, project }) {
    return yield* walletResponse(yield* (yield* Wallets).show(project.id, params.walletAddress))
  })
})

export const wallets = { register, bitcoinProofMessage, replaceMetadata, address, list, factories, get }
