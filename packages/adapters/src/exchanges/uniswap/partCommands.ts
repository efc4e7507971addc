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
  readonly takes: Address
  readonly leaves: Address
}

const legOf = (hop: PartHop): Leg => {
  const { key, tokenIn, tokenOut, zeroForOne } = hop
  if (key._tag !== "V4") return { hops: [hop], takes: tokenIn, leaves: tokenOut }
  const [takes, leaves] = zeroForOne ? [key.currency0, key.currency1] : [key.currency1, key.currency0]
  return { hops: [hop], takes, leaves }
}

/** Groups the hops of a split route. Consecutive hops are combined if one command supports them. */
export const legsOf = ({ hops }: SwapPart): ReadonlyArray<Leg> => {
  const legs: Array<Leg> = []
  for (const next of hops.map(legOf)) {
    const lastLeg = legs.at(-1)
    const joins =
      lastLeg !== undefined && lastLeg.hops[0]!.key._tag === next.hops[0]!.key._tag && lastLeg.leaves === next.takes
    if (joins) legs.push({ ...legs.pop()!, hops: [...lastLeg.hops, ...next.hops], leaves: next.leaves })
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
const changeBetween = (leaves: Address, takes: Address): ReadonlyArray<Command> =>
  leaves === takes ? [] : takes === NATIVE_TOKEN ? [unwrapAll(ROUTER, 0n)] : [wrap(WHOLE_BALANCE)]

/**
 * Takes the input amount of a split route from the router's balance, and leaves the output there. A token between two
 * legs belongs only to this route, because no route passes through its own first or last token. So the next leg can
 * take the entire balance, whatever the pools returned.
 */
export const partCommands = (part: SwapPart): ReadonlyArray<Command> =>
  legsOf(part).flatMap((leg, i, legs) =>
    i === 0
      ? [swapOf(leg, part.amountIn)]
      : [...changeBetween(legs[i - 1]!.leaves, leg.takes), swapOf(leg, WHOLE_BALANCE)]
  )
