import type { FiatCallbacks } from "@countersign/core/fiat"
import type { Entropy } from "@countersign/core/foundation/primitives"
import type { QuoteStore } from "@countersign/core/operations/quotes"
import type { Effect, Schema } from "effect"
import type { ErrorId } from "../errors/index.ts"
import { admin } from "./admin.ts"
import { batch } from "./batch.ts"
import { bitcoin } from "./bitcoin.ts"
import { catalog } from "./catalog.ts"
import type { Endpoint } from "./Endpoint.ts"
import { events } from "./events.ts"
import { executions } from "./executions.ts"
import { fiat } from "./fiat.ts"
import { history } from "./history.ts"
import { kyc } from "./kyc.ts"
import { lending } from "./lending.ts"
import { limitOrders } from "./limitOrders.ts"
import { liquidity } from "./liquidity.ts"
import { portfolio } from "./portfolio.ts"
import { swap } from "./swap.ts"
import { tax } from "./tax.ts"
import { transfer } from "./transfer.ts"
import { userOperations } from "./userOperations.ts"
import { wallets } from "./wallets.ts"
import { webhooks } from "./webhooks.ts"

export { type CallShape, callShapeOf } from "./callShapeOf.ts"
export {
  type Call,
  type CostName,
  type Endpoint,
  type Example,
  endpoint,
  type ListPage,
  type StreamedList
} from "./Endpoint.ts"
export type { EventSource, OpenEvents } from "./EventSource.ts"
export { inTurn } from "./inTurn.ts"
export { decoderOf, encoderOf } from "./json.ts"
export { type CallInput, endpointRunnerOf, type TextInput } from "./responseOf.ts"
export type { StoredFile } from "./StoredFile.ts"

/** All API endpoints by the client's groups, in the order of the API reference. */
export const endpoints = {
  swap,
  limitOrders,
  bitcoin,
  transfer,
  batch,
  liquidity,
  lending,
  executions,
  userOperations,
  wallets,
  history,
  portfolio,
  tax,
  fiat,
  kyc,
  catalog,
  webhooks,
  events,
  admin
}

/** The titles of the endpoint groups in the reference. */
export const groupTitles = {
  swap: { title: "Swaps", description: "Quotes for swaps" },
  limitOrders: { title: "Limit orders", description: "Place and cancel limit orders on CoW Protocol" },
  bitcoin: { title: "Bitcoin", description: "Broadcast signed Bitcoin transactions, and replace pending payments" },
  transfer: { title: "Transfers", description: "Transfers of tokens and native tokens" },
  batch: { title: "Batches", description: "Transfers and swaps in one operation" },
  liquidity: { title: "Liquidity", description: "Uniswap V3 pools and positions" },
  lending: { title: "Lending", description: "Loans and collateral on Aave V3 and Morpho Blue" },
  executions: { title: "Executions", description: "Execute signed quotes of any type" },
  userOperations: { title: "User operations", description: "Execute and get user operations by their hash" },
  wallets: { title: "Wallets", description: "Smart wallets and Bitcoin wallets of the project" },
  history: { title: "History", description: "Transactions of wallets" },
  portfolio: { title: "Portfolio", description: "Balances of a wallet, their value, profit and loss" },
  tax: { title: "Tax exports", description: "Monthly exports of a wallet's movements for tax returns" },
  fiat: { title: "Fiat", description: "Deposits from banks and withdrawals to banks" },
  kyc: { title: "Identity", description: "Verification of individuals and businesses" },
  catalog: { title: "Catalogues", description: "Supported chains, tokens and swap providers" },
  webhooks: { title: "Webhooks", description: "Endpoints that receive the events of a project" },
  events: { title: "Events", description: "The events of a project as a stream" },
  admin: { title: "Administration", description: "Keys, pending work, identity reviews and balances, for operators" }
} satisfies Record<keyof typeof endpoints, { readonly title: string; readonly description: string }>

type Groups = typeof endpoints
type Group = Groups[keyof Groups]
type OwnEndpoint = Group extends infer G ? (G extends G ? G[keyof G] : never) : never

type ServicesOf<E> = E extends { readonly run: (...call: never) => Effect.Effect<unknown, unknown, infer R> }
  ? R
  : never

/** The services that endpoint handlers can use, including those of endpoints that a host application adds. */
export type EndpointServices = ServicesOf<OwnEndpoint> | Entropy | FiatCallbacks | QuoteStore

export type AnyEndpoint = Endpoint<
  Schema.Struct.Fields,
  Schema.Struct.Fields,
  Schema.Codec<unknown, unknown>,
  Schema.Codec<unknown, unknown>,
  ErrorId,
  EndpointServices
>

/** All endpoints as a list, in the order of the reference. */
export const endpointList: ReadonlyArray<AnyEndpoint> = Object.values(endpoints).flatMap(
  (group): ReadonlyArray<AnyEndpoint> => Object.values(group)
)

/** Endpoints with a call in the library and the client: all except event streams and files. */
export const callableEndpoints: ReadonlyArray<AnyEndpoint> = endpointList.filter(
  ({ isEventStream, isFile }) => !isEventStream && !isFile
)
