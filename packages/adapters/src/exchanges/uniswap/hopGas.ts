import type { Pool } from "@countersign/core/trading/liquidity"
import { isV4Id } from "../pools/index.ts"

/** Gas of an additional hop in a router's swap, rounded, from measurements on the sandbox. */
const PAIR_GAS = 75_000n
const V3_GAS = 100_000n
const V4_GAS = 60_000n

export const hopGasOf = ({ _tag, id }: Pool): bigint =>
  _tag === "ConstantProduct" ? PAIR_GAS : isV4Id(id) ? V4_GAS : V3_GAS
