import { Context, type Effect } from "effect"
import type { EvmChainId } from "../chains/index.ts"
import type { Address } from "../primitives/index.ts"

/** US dollars for one whole token, scaled by 10^18. */
export type UsdPriceE18 = bigint

/** Market prices. A token without a known price is missing from the answer: unknown is never zero. */
export class TokenPrices extends Context.Service<
  TokenPrices,
  {
    readonly usd: (
      chainId: EvmChainId,
      tokens: ReadonlyArray<Address>
    ) => Effect.Effect<ReadonlyMap<Address, UsdPriceE18>>
  }
>()("@countersign/core/tokens/TokenPrices") {}
