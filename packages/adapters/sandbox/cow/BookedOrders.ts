import { readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { EvmChainId } from "@countersign/core/foundation/chains"
import { Schema } from "effect"
import { PRIVATE_FILE_MODE } from "../../src/storage/files/index.ts"

/** GPv2's `Order` in the API's format, with addresses in lower case. */
export const BookOrder = Schema.Struct({
  sellToken: Schema.String,
  buyToken: Schema.String,
  receiver: Schema.String,
  sellAmount: Schema.String,
  buyAmount: Schema.String,
  validTo: Schema.Int,
  /** Hash of the app data. */
  appData: Schema.String,
  feeAmount: Schema.String,
  kind: Schema.Literals(["sell", "buy"]),
  partiallyFillable: Schema.Boolean,
  sellTokenBalance: Schema.String,
  buyTokenBalance: Schema.String
})
export type BookOrder = typeof BookOrder.Type

export const SigningScheme = Schema.Literals(["eip712", "ethsign", "eip1271", "presign"])
export type SigningScheme = typeof SigningScheme.Type

/** An order that the order book has accepted. */
export const BookedOrder = Schema.Struct({
  chainId: EvmChainId,
  uid: Schema.String,
  owner: Schema.String,
  order: BookOrder,
  fullAppData: Schema.String,
  signingScheme: SigningScheme,
  signature: Schema.String,
  /** ISO 8601. */
  creationDate: Schema.String,
  /** Whether the market price did not reach the limit when the order was created. */
  isOutOfMarket: Schema.Boolean,
  /** Whether the owner has cancelled the order off-chain. */
  isDropped: Schema.Boolean
})
export type BookedOrder = typeof BookedOrder.Type

const StoredOrders = Schema.fromJsonString(Schema.Array(BookedOrder))
const decode = Schema.decodeSync(StoredOrders)
const encode = Schema.encodeSync(StoredOrders)

/** The orders of all chains, stored in a file of the sandbox's home folder. */
export class BookedOrders {
  readonly #file: string
  #orders: ReadonlyArray<BookedOrder> | undefined

  constructor(home: string) {
    this.#file = join(home, "cow-orders.json")
  }

  all(): ReadonlyArray<BookedOrder> {
    this.#orders ??= this.#read()
    return this.#orders
  }

  find(chainId: EvmChainId, uid: string): BookedOrder | undefined {
    return this.all().find((order) => order.chainId === chainId && order.uid === uid)
  }

  /** Adds an order, or replaces the order with the same uid. */
  store(order: BookedOrder): void {
    const otherOrders = this.all().filter(({ chainId, uid }) => chainId !== order.chainId || uid !== order.uid)
    this.#write([...otherOrders, order])
  }

  clear(): void {
    if (this.all().length > 0) this.#write([])
  }

  #read(): ReadonlyArray<BookedOrder> {
    try {
      return decode(readFileSync(this.#file, "utf8"))
    } catch {
      return []
    }
  }

  #write(orders: ReadonlyArray<BookedOrder>): void {
    const draft = `${this.#file}.draft`
    writeFileSync(draft, encode(orders), { mode: PRIVATE_FILE_MODE })
    renameSync(draft, this.#file)
    this.#orders = orders
  }
}
