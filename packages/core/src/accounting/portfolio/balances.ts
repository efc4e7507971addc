import { type EvmChainId, onEachChain } from "../../foundation/chains/index.ts"
import type { Address } from "../../foundation/primitives/index.ts"
import { holdingsOn } from "./holdings.ts"

/** Reads the balances of an account on these chains. */
export const balancesOf = (address: Address, chainIds: ReadonlyArray<EvmChainId>) =>
  onEachChain(chainIds, (chainId) => holdingsOn(address, chainId))
