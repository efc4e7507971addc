import type { EvmChainId } from "@countersign/core/foundation/chains"
import { feeFieldsOf, gasPriceOf } from "../gasPrices.ts"

// Replaces anvil's suggested tip by the chain's gas price. anvil suggests at least 1 gwei, even if the gas price of the
// chain is a hundredth of that. It uses the tip in transactions without a price, and then rejects them.

const toQuantity = (amount: bigint): string => `0x${amount.toString(16)}`

const suggestions: Readonly<Record<string, (chainId: EvmChainId) => string>> = {
  eth_maxPriorityFeePerGas: (chainId) => toQuantity(gasPriceOf[chainId].tipPerGas),
  eth_gasPrice: (chainId) => toQuantity(gasPriceOf[chainId].baseFeePerGas + gasPriceOf[chainId].tipPerGas)
}
const USES_SUGGESTED_FEES = /"eth_(?:maxPriorityFeePerGas|gasPrice)"/u
const UNPRICED_METHODS = new Set(["eth_sendTransaction", "eth_sendTransactionSync"])

interface RpcRequest {
  readonly id?: unknown
  readonly method?: unknown
  readonly params?: ReadonlyArray<unknown>
}

const hasPrice = (transaction: object): boolean => "gasPrice" in transaction || "maxFeePerGas" in transaction

const withFees = (chainId: EvmChainId, request: RpcRequest): RpcRequest => {
  const [transaction, ...others] = request.params ?? []
  return UNPRICED_METHODS.has(`${request.method}`) &&
    typeof transaction === "object" &&
    transaction !== null &&
    !hasPrice(transaction)
    ? { ...request, params: [{ ...transaction, ...feeFieldsOf(chainId) }, ...others] }
    : request
}

const mapOneOrMany = <A, B>(oneOrMany: A | ReadonlyArray<A>, change: (one: A) => B): B | ReadonlyArray<B> =>
  Array.isArray(oneOrMany) ? oneOrMany.map(change) : change(oneOrMany as A)

/** Adds the chain's gas prices to transactions from unlocked accounts if the request contains none. */
export const withPrices = (chainId: EvmChainId, body: string): string =>
  body.includes('"eth_sendTransaction')
    ? JSON.stringify(
        mapOneOrMany(JSON.parse(body) as RpcRequest | ReadonlyArray<RpcRequest>, (request) =>
          withFees(chainId, request)
        )
      )
    : body

/** Replaces anvil's fee suggestions in the response to `body` by the chain's gas prices. */
export const withSuggestions = (chainId: EvmChainId, body: string, response: Buffer): Buffer => {
  if (!USES_SUGGESTED_FEES.test(body)) return response
  const requests = [JSON.parse(body) as RpcRequest | ReadonlyArray<RpcRequest>].flat()
  const suggestionById = new Map(requests.map(({ id, method }) => [id, suggestions[`${method}`]?.(chainId)]))
  const responses = mapOneOrMany(JSON.parse(response.toString()) as { readonly id: unknown }, (response) => {
    const result = suggestionById.get(response.id)
    return result === undefined ? response : { ...response, result }
  })
  return Buffer.from(JSON.stringify(responses))
}
