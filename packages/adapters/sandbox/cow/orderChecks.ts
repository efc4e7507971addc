import { Predicate, Result, Schema } from "effect"
import {
  concatHex,
  type Hex,
  hashMessage,
  hashTypedData,
  keccak256,
  numberToHex,
  recoverAddress,
  stringToHex
} from "viem"
import type { SandboxChain } from "../network/SandboxChain.ts"
import { BookError } from "./BookError.ts"
import { type BookedOrder, BookOrder, SigningScheme as SchemeSchema, type SigningScheme } from "./BookedOrders.ts"
import { allowanceOn, balanceOn, domainOf, isValidErc1271Signature } from "./settlementChain.ts"

const NATIVE = "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee"
const MIN_SECONDS = 60
const MAX_SECONDS = 365 * 86_400
const APP_DATA_BYTES = 8_192

const orderTypes = {
  Order: [
    { name: "sellToken", type: "address" },
    { name: "buyToken", type: "address" },
    { name: "receiver", type: "address" },
    { name: "sellAmount", type: "uint256" },
    { name: "buyAmount", type: "uint256" },
    { name: "validTo", type: "uint32" },
    { name: "appData", type: "bytes32" },
    { name: "feeAmount", type: "uint256" },
    { name: "kind", type: "string" },
    { name: "partiallyFillable", type: "bool" },
    { name: "sellTokenBalance", type: "string" },
    { name: "buyTokenBalance", type: "string" }
  ]
} as const

/** The body of POST /api/v1/orders. */
const OrderCreation = Schema.Struct({
  ...BookOrder.fields,
  appDataHash: Schema.optionalKey(Schema.String),
  signingScheme: SchemeSchema,
  signature: Schema.String.check(Schema.isPattern(/^0x(?:[a-fA-F0-9]{2})*$/u)),
  from: Schema.optionalKey(Schema.NullOr(Schema.String))
})
const decodeCreation = Schema.decodeUnknownResult(OrderCreation)

/** A valid order, with its uid and owner. */
export interface CheckedOrder {
  readonly order: BookOrder
  readonly uid: Hex
  readonly owner: string
  readonly fullAppData: string
  readonly signingScheme: SigningScheme
  readonly signature: Hex
}

const hashAppData = (text: string, expectedHash: string | undefined): Hex => {
  const parseResult = Result.try(() => JSON.parse(text) as unknown)
  const isObject = Result.isSuccess(parseResult) && Predicate.isObject(parseResult.success)
  if (!isObject || Buffer.byteLength(text) > APP_DATA_BYTES) {
    throw new BookError("InvalidAppData", "app data is not a JSON object of at most 8192 bytes")
  }
  const hash = keccak256(stringToHex(text))
  if (expectedHash !== undefined && expectedHash.toLowerCase() !== hash) {
    throw new BookError("AppDataHashMismatch", "the app data does not match the hash")
  }
  return hash
}

const requireTerms = (order: BookOrder, signingScheme: SigningScheme, nowSeconds: number): void => {
  const refuse = (errorType: string, description: string) => {
    throw new BookError(errorType, description)
  }
  if (order.kind !== "sell") refuse("UnsupportedOrderType", "this order book accepts sell orders only")
  if (order.buyTokenBalance !== "erc20") refuse("UnsupportedBuyTokenDestination", "only erc20 balances")
  if (order.sellTokenBalance !== "erc20") refuse("UnsupportedSellTokenSource", "only erc20 balances")
  if (order.validTo < nowSeconds + MIN_SECONDS) refuse("InsufficientValidTo", "validTo is not far enough in the future")
  if (signingScheme !== "presign" && order.validTo > nowSeconds + MAX_SECONDS) {
    refuse("ExcessiveValidTo", "validTo is too far into the future")
  }
  if (order.sellToken === NATIVE) refuse("InvalidNativeSellToken", "the native token cannot be sold")
  if (order.sellToken === order.buyToken) refuse("SameBuyAndSellToken", "the two tokens are the same")
  if (BigInt(order.sellAmount) === 0n || BigInt(order.buyAmount) === 0n) refuse("ZeroAmount", "an amount is zero")
  if (BigInt(order.feeAmount) !== 0n) refuse("NonZeroFee", "the fee is not zero")
}

/** Computes the order digest as the settlement contract does. */
export const orderDigest = (chain: SandboxChain, order: BookOrder): Hex =>
  hashTypedData({
    domain: domainOf(chain.chainId),
    types: orderTypes,
    primaryType: "Order",
    message: {
      ...order,
      sellToken: order.sellToken as Hex,
      buyToken: order.buyToken as Hex,
      receiver: order.receiver as Hex,
      appData: order.appData as Hex,
      sellAmount: BigInt(order.sellAmount),
      buyAmount: BigInt(order.buyAmount),
      feeAmount: BigInt(order.feeAmount)
    }
  })

export const signerOf = async (digest: Hex, signature: Hex): Promise<string> => {
  try {
    return (await recoverAddress({ hash: digest, signature })).toLowerCase()
  } catch {
    throw new BookError("InvalidSignature", "the signature is malformed")
  }
}

const requireSignature = async (
  chain: SandboxChain,
  digest: Hex,
  scheme: SigningScheme,
  signature: Hex,
  from: string | undefined
): Promise<string> => {
  if (scheme === "eip712" || scheme === "ethsign") {
    const signedHash = scheme === "eip712" ? digest : hashMessage({ raw: digest })
    const signer = await signerOf(signedHash, signature)
    if (from !== undefined && from !== signer) {
      throw new BookError("WrongOwner", `recovered signer ${signer} from signing hash ${digest} instead of ${from}`)
    }
    return signer
  }
  if (from === undefined) throw new BookError("MissingFrom", "from address must be specified for on-chain signature")
  if (scheme === "presign") {
    if (signature !== "0x" && signature !== from) throw new BookError("InvalidSignature", "presign has no signature")
    return from
  }
  if (!(await isValidErc1271Signature(chain, from, digest, signature))) {
    throw new BookError("InvalidEip1271Signature", `signature for computed order hash ${digest} is not valid`)
  }
  return from
}

/**
 * Checks the funds when the order is placed. The wallet must hold a part of the amount, and must have approved all of
 * it.
 */
const requireFunds = async (chain: SandboxChain, order: BookOrder, owner: string): Promise<void> => {
  const [allowance, balance] = await Promise.all([
    allowanceOn(chain, order.sellToken, owner),
    balanceOn(chain, order.sellToken, owner)
  ])
  if (allowance < BigInt(order.sellAmount)) {
    throw new BookError("InsufficientAllowance", "order owner must give allowance to VaultRelayer")
  }
  if (balance === 0n) {
    throw new BookError("InsufficientBalance", "order owner must have funds worth at least 1 atom of the sell token")
  }
}

/** Decodes and checks an order as CoW's services do. Throws `BookError` if it is invalid. */
export const checkOrder = async (chain: SandboxChain, body: unknown, nowSeconds: number): Promise<CheckedOrder> => {
  const decodedBody = decodeCreation(body)
  if (Result.isFailure(decodedBody)) throw new BookError("", "the body is not an order", 422)
  const { appDataHash, from, signature, signingScheme, ...fields } = decodedBody.success
  const order: BookOrder = {
    ...fields,
    sellToken: fields.sellToken.toLowerCase(),
    buyToken: fields.buyToken.toLowerCase(),
    receiver: fields.receiver.toLowerCase(),
    appData: hashAppData(fields.appData, appDataHash)
  }
  requireTerms(order, signingScheme, nowSeconds)
  const digest = orderDigest(chain, order)
  const owner = await requireSignature(chain, digest, signingScheme, signature as Hex, from?.toLowerCase())
  // Skipped for presign orders, because their wallet signs and approves later.
  if (signingScheme !== "presign") await requireFunds(chain, order, owner)
  const uid = concatHex([digest, owner as Hex, numberToHex(order.validTo, { size: 4 })])
  return { order, uid, owner, fullAppData: fields.appData, signingScheme, signature: signature as Hex }
}

/** The body of DELETE /api/v1/orders. */
const Cancellations = Schema.Struct({
  orderUids: Schema.Array(Schema.String),
  signature: Schema.String,
  signingScheme: Schema.Literals(["eip712", "ethsign"])
})
export const decodeCancellations = Schema.decodeUnknownResult(Cancellations)

export const cancellationSigner = (
  chain: SandboxChain,
  { orderUids, signature, signingScheme }: typeof Cancellations.Type
): Promise<string> => {
  const digest = hashTypedData({
    domain: domainOf(chain.chainId),
    types: { OrderCancellations: [{ name: "orderUids", type: "bytes[]" }] },
    primaryType: "OrderCancellations",
    message: { orderUids: orderUids as ReadonlyArray<Hex> }
  })
  return signerOf(signingScheme === "eip712" ? digest : hashMessage({ raw: digest }), signature as Hex)
}

export const isOnChainOrder = ({ signingScheme }: BookedOrder): boolean =>
  signingScheme === "presign" || signingScheme === "eip1271"
