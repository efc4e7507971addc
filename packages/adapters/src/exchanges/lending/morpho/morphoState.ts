import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Address } from "@countersign/core/foundation/primitives"
import { decodeFunctionResult, type PublicClient } from "viem"
import type { MorphoBlueDeployment } from "../../../chains/deployments/index.ts"
import { encoderOf } from "../../../chains/evm/index.ts"
import { type ContractRead, decodedOrNull, decodeResults, readEach, requireResult } from "../reads.ts"
import { morphoAbi } from "./abi.ts"
import { type MorphoMarket, paramsArgument } from "./MorphoMarket.ts"
import { debtRoundingUp, type MarketTotals, marketRates, suppliedAmountRoundingDown } from "./morphoMath.ts"

const morphoData = encoderOf(morphoAbi)

/** A market including accrued interest, and a wallet's position in it. Amounts are in base units. */
export interface MorphoState {
  readonly totals: MarketTotals
  /** Base units of the loan token per base unit of collateral, scaled by 10^36. Null if the oracle does not respond. */
  readonly price: bigint | null
  readonly supplyShares: bigint
  readonly borrowShares: bigint
  readonly collateral: bigint
  readonly debt: bigint
  readonly supplied: bigint
  /** Amount that borrowers can borrow, or lenders can withdraw, immediately. */
  readonly available: bigint
  readonly borrowRateE18: bigint
  readonly supplyRateE18: bigint
}

/** Builds the reads of a market. The first call accrues interest, so that the later reads include it. */
const marketReads = ({ morpho }: MorphoBlueDeployment, { id, params }: MorphoMarket, account: Address) => {
  const accrued: ContractRead<null> = {
    target: morpho,
    callData: morphoData("accrueInterest", [paramsArgument(params)]),
    decode: () => null
  }
  return {
    accrued,
    totals: {
      target: morpho,
      callData: morphoData("market", [id]),
      decode: decodedOrNull((data): MarketTotals => {
        const [totalSupplyAssets, totalSupplyShares, totalBorrowAssets, totalBorrowShares, , fee] =
          decodeFunctionResult({ abi: morphoAbi, functionName: "market", data })
        return { totalSupplyAssets, totalSupplyShares, totalBorrowAssets, totalBorrowShares, fee }
      })
    },
    position: {
      target: morpho,
      callData: morphoData("position", [id, account]),
      decode: decodedOrNull((data) => {
        const [supplyShares, borrowShares, collateral] = decodeFunctionResult({
          abi: morphoAbi,
          functionName: "position",
          data
        })
        return { supplyShares, borrowShares, collateral }
      })
    },
    price: {
      target: params.oracle,
      callData: morphoData("price", []),
      decode: decodedOrNull((data) => decodeFunctionResult({ abi: morphoAbi, functionName: "price", data }))
    },
    rateAtTarget: {
      target: params.irm,
      callData: morphoData("rateAtTarget", [id]),
      decode: decodedOrNull((data) => decodeFunctionResult({ abi: morphoAbi, functionName: "rateAtTarget", data }))
    }
  }
}

/** Builds the reads of a market's state, and decodes their results. */
export const stateReads = (deployment: MorphoBlueDeployment, market: MorphoMarket, account: Address) => {
  const reads = marketReads(deployment, market, account)
  return {
    calls: Object.values(reads),
    stateOf: (results: Parameters<typeof decodeResults>[1]): MorphoState => {
      const { price, rateAtTarget, ...marketResults } = decodeResults(reads, results)
      const position = requireResult(marketResults.position, "a position in Morpho")
      const totals = requireResult(marketResults.totals, "a market of Morpho")
      return {
        totals,
        ...position,
        // The oracle can fail while the market still works: the debt remains and can be repaid.
        price,
        debt: debtRoundingUp(position.borrowShares, totals),
        supplied: suppliedAmountRoundingDown(position.supplyShares, totals),
        available: totals.totalSupplyAssets - totals.totalBorrowAssets,
        // A market without an interest rate model earns and costs no interest.
        ...marketRates(totals, rateAtTarget ?? 0n)
      }
    }
  }
}

/** Reads the state of several markets, and makes other reads, in one request. */
export const readMorphoStates = async (
  client: PublicClient,
  chainId: EvmChainId,
  deployment: MorphoBlueDeployment,
  account: Address,
  markets: ReadonlyArray<MorphoMarket>,
  others: ReadonlyArray<ContractRead<bigint>> = []
) => {
  const states = markets.map((market) => stateReads(deployment, market, account))
  const toRawRead = <A extends ContractRead<unknown>>({ callData, target }: A) => ({
    target,
    callData,
    decode: (result: Parameters<A["decode"]>[0]) => result
  })
  const calls = [...states.flatMap((state) => state.calls.map(toRawRead)), ...others.map(toRawRead)]
  const { decodedResults, timestamp } = await readEach(client, chainId, calls)
  const size = states[0]?.calls.length ?? 0
  return {
    timestamp,
    states: states.map(({ stateOf }, i) => stateOf(decodedResults.slice(i * size, (i + 1) * size))),
    others: others.map(({ decode }, i) => decode(decodedResults[states.length * size + i] ?? null))
  }
}
