import type { LendingRequest } from "@countersign/core/lending"
import { endpoints, type TextInput } from "../endpoints/index.ts"
import type { CallEndpoint, CallOptions } from "./requests.ts"

/** Loans and what secures them. */
export const lendingOf = (call: CallEndpoint) => {
  const prepare = call(endpoints.lendingQuote)
  const markets = call(endpoints.lendingMarkets)
  const positions = call(endpoints.lendingPositions)
  return {
    lending: {
      /** A lending operation to be signed. As `POST /api/v1/lending/quote`. */
      prepare: (body: typeof LendingRequest.Encoded, options?: CallOptions) => prepare({ payload: body }, options),
      /** The markets in which tokens are lent. As `GET /api/v1/lending/markets`. */
      markets: (query: TextInput<NonNullable<typeof endpoints.lendingMarkets.query>> = {}, options?: CallOptions) =>
        markets({ query }, options),
      /** What a wallet has supplied and owes. As `GET /api/v1/wallets/:walletAddress/lending`. */
      positions: (walletAddress: string, options?: CallOptions) => positions({ params: { walletAddress } }, options)
    }
  }
}
