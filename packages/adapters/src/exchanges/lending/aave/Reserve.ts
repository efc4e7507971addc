import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import type { PublicClient } from "viem"
import type { AaveV3Deployment } from "../../../chains/deployments/index.ts"
import { addressFromHex } from "../../../chains/evm/index.ts"
import { readEach, requireResult } from "../reads.ts"
import { type ReserveData, reserveDataRead, reservesListRead } from "./aaveReads.ts"
import { reserveConfiguration } from "./reserveConfiguration.ts"

/** The immutable fields of a reserve. */
export interface Reserve {
  /** Index of the reserve, which is its position in the configuration words of wallets. */
  readonly id: number
  readonly asset: Address
  readonly aToken: Address
  readonly debtToken: Address
  readonly decimals: number
}

export const reserveOf = (asset: Address, data: ReserveData): Reserve => ({
  id: data.id,
  asset,
  aToken: addressFromHex(data.aTokenAddress),
  debtToken: addressFromHex(data.variableDebtTokenAddress),
  decimals: reserveConfiguration(data.configuration).decimals
})

/** Reads all reserves of the market, in two requests. */
export const readReserves = async (
  client: PublicClient,
  chainId: EvmChainId,
  { pool }: AaveV3Deployment
): Promise<ReadonlyArray<Reserve>> => {
  const list = await readEach(client, chainId, [reservesListRead(pool)])
  const assets = requireResult(list.decodedResults[0] ?? null, "Aave's reserves").map(addressFromHex)
  const { decodedResults } = await readEach(
    client,
    chainId,
    assets.map((asset) => reserveDataRead(pool, asset))
  )
  return assets.map((asset, i) => reserveOf(asset, requireResult(decodedResults[i] ?? null, "a reserve of Aave")))
}
