import type { Address } from "@countersign/core/foundation/primitives"
import type { V4Key } from "../pools/index.ts"
import {
  type Command,
  NATIVE_TOKEN,
  ROUTER,
  unwrapAll,
  v2Swap,
  v3Swap,
  v4Swap,
  WHOLE_BALANCE,
  wrap
} from "./commands.ts"
import type { PartHop, SwapPart } from "./SwapPart.ts"

/** Consecutive hops that one command executes. */
export interface Leg {
  readonly hops: ReadonlyArray<PartHop>
  /** The input and output tokens of the leg in the router's balance. They may be native for Uniswap V4. */
  readonly inputCurrency: Address
  readonly outputCurrency: Address
}

const legOf = (hop: PartHop): Leg => {
  const { key, tokenIn, tokenOut, zeroForOne } = hop
  if (key._tag !== "V4") return { hops: [hop], inputCurrency: tokenIn, outputCurrency: tokenOut }
  const [inputCurrency, outputCurrency] = zeroForOne ? [key.currency0, key.currency1] : [key.currency1, key.currency0]
  return { hops: [hop], inputCurrency, outputCurrency }
}

/** Groups the hops of a split route. Consecutive hops are combined if one command supports them. */
export const legsOf = ({ hops }: SwapPart): ReadonlyArray<Leg> => {
  const legs: Array<Leg> = []
  for (const next of hops.map(legOf)) {
    const lastLeg = legs.at(-1)
    const joins =
      lastLeg !== undefined &&
      lastLeg.hops[0]!.key._tag === next.hops[0]!.key._tag &&
      lastLeg.outputCurrency === next.inputCurrency
    if (joins) legs.push({ ...legs.pop()!, hops: [...lastLeg.hops, ...next.hops], outputCurrency: next.outputCurrency })
    else legs.push(next)
  }
  return legs
}

const isV4Hop = (hop: PartHop): hop is PartHop & { readonly key: V4Key } => hop.key._tag === "V4"

const swapOf = ({ hops }: Leg, amountIn: bigint): Command => {
  const [{ key }] = hops as readonly [PartHop]
  return key._tag === "V4"
    ? v4Swap(hops.filter(isV4Hop), amountIn)
    : key._tag === "V3"
      ? v3Swap(hops, amountIn)
      : v2Swap(hops, amountIn)
}

/** Wraps or unwraps the native token if the next leg needs the other form. */
const conversionBetween = (outputCurrency: Address, inputCurrency: Address): ReadonlyArray<Command> =>
  outputCurrency === inputCurrency
    ? []
    : inputCurrency === NATIVE_TOKEN
      ? [unwrapAll(ROUTER, 0n)]
      : [wrap(WHOLE_BALANCE)]

/**
 * Takes the input amount of a split route from the router's balance, and leaves the output there. A token between two
 * legs belongs only to this route, because no route passes through its own first or last token. So the next leg can
 * take the entire balance, whatever the pools returned.
 */
export const partCommands = (part: SwapPart): ReadonlyArray<Command> =>
  legsOf(part).flatMap((leg, i, legs) =>
    i === 0
      ? [swapOf(leg, part.amountIn)]
      : [...conversionBetween(legs[i - 1]!.outputCurrency, leg.inputCurrency), swapOf(leg, WHOLE_BALANCE)]
  )
