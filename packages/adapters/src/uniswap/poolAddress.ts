import type { Address } from "@countersign/core/primitives"
import { encodeAbiParameters, getCreate2Address, keccak256 } from "viem"
import type { UniswapV3Deployment } from "../deployments/index.ts"
import { addressFromHex, hex } from "../evm/index.ts"

export interface PoolKey {
  readonly address: Address
  readonly token0: Address
  readonly token1: Address
  readonly feePips: number
  readonly tickSpacing: number
}

/** The pool of two tokens and a fee tier, whether it exists or not. */
export const poolKey = (
  deployment: UniswapV3Deployment,
  a: Address,
  b: Address,
  [feePips, tickSpacing]: readonly [number, number]
): PoolKey => {
  const [token0, token1] = a < b ? [a, b] : [b, a]
  const salt = keccak256(
    encodeAbiParameters(
      [{ type: "address" }, { type: "address" }, { type: "uint24" }],
      [hex(token0), hex(token1), feePips]
    )
  )
  const address = getCreate2Address({
    from: hex(deployment.factory),
    salt,
    bytecodeHash: hex(deployment.poolInitCodeHash)
  })
  return { address: addressFromHex(address), token0, token1, feePips, tickSpacing }
}
