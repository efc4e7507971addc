import { chainOf, type EvmChainId } from "@countersign/core/foundation/chains"
import { BadRequest } from "@countersign/core/foundation/errors"
import { type LendingTerms, lendingActions } from "@countersign/core/trading/lending"
import { deploymentOf } from "../../../chains/deployments/index.ts"
import type { Reserve } from "./Reserve.ts"

/** Rejects fields that only a provider with several markets supports. */
const marketProblems = ({ legs }: LendingTerms) =>
  lendingActions.flatMap((action) => {
    const leg = legs[action]
    const message = "Aave V3 has a single market with a single side. Omit this field."
    return [
      ...(leg === undefined || leg.marketId === null
        ? []
        : [{ path: `${action}.marketId`, code: "one_market", message }]),
      ...(leg?.side === "LOAN" ? [{ path: `${action}.side`, code: "one_market", message }] : [])
    ]
  })

/** Rejects legs whose token has no reserve, or that request another market. Null if all legs are valid. */
export const refusalOf = (order: LendingTerms, reserves: ReadonlyArray<Reserve>): BadRequest | null => {
  const { chainId, legs } = order
  const unlistedTokens = lendingActions.flatMap((action) => {
    const leg = legs[action]
    if (leg === undefined || reserves.some(({ asset }) => asset === leg.token.address)) return []
    return [
      {
        path: `${action}.tokenAddress`,
        code: "no_market",
        message: `Aave V3 on ${chainOf(chainId).name} has no market for ${leg.token.symbol}. Use one of: ${symbolsOf(chainId, reserves)}.`
      }
    ]
  })
  const [first, ...others] = [...unlistedTokens, ...marketProblems(order)]
  return first === undefined ? null : new BadRequest({ problems: [first, ...others] })
}

/** Formats the symbols of the listed tokens. */
const symbolsOf = (chainId: EvmChainId, reserves: ReadonlyArray<Reserve>): string =>
  deploymentOf(chainId)
    .tokens.filter(({ address }) => reserves.some(({ asset }) => asset === address))
    .map(({ symbol }) => symbol)
    .join(", ")
