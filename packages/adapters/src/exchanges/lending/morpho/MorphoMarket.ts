import type { EvmChainId } from "@countersign/core/foundation/chains"
import type { Hash32 } from "@countersign/core/foundation/primitives"
import { decodeFunctionResult, encodeAbiParameters, keccak256, type PublicClient, parseAbiParameters } from "viem"
import type { MorphoBlueDeployment, MorphoMarketParams } from "../../../chains/deployments/index.ts"
import { addressFromHex, encoderOf } from "../../../chains/evm/index.ts"
import { decodedOrNull, readEach } from "../reads.ts"
import { morphoAbi } from "./abi.ts"

const morphoData = encoderOf(morphoAbi)

/** An offered market, with its parameters. */
export interface MorphoMarket {
  readonly id: Hash32
  readonly params: MorphoMarketParams
}

/** Converts the parameters to the contract's format. */
export const paramsArgument = ({ collateralToken, irm, lltv, loanToken, oracle }: MorphoMarketParams) => ({
  loanToken,
  collateralToken,
  oracle,
  irm,
  lltv
})

const idOf = ({ collateralToken, irm, lltv, loanToken, oracle }: MorphoMarketParams): string =>
  keccak256(
    encodeAbiParameters(parseAbiParameters("address, address, address, address, uint256"), [
      loanToken,
      collateralToken,
      oracle,
      irm,
      lltv
    ])
  )

const paramsRead = ({ morpho }: MorphoBlueDeployment, id: Hash32) => ({
  target: morpho,
  callData: morphoData("idToMarketParams", [id]),
  decode: decodedOrNull((data): MorphoMarketParams => {
    const [loanToken, collateralToken, oracle, irm, lltv] = decodeFunctionResult({
      abi: morphoAbi,
      functionName: "idToMarketParams",
      data
    })
    return {
      loanToken: addressFromHex(loanToken),
      collateralToken: addressFromHex(collateralToken),
      oracle: addressFromHex(oracle),
      irm: addressFromHex(irm),
      lltv
    }
  })
})

/**
 * Reads the configured markets that exist on the chain. The parameters that a node returns must match the market id.
 */
export const readMorphoMarkets = async (
  client: PublicClient,
  chainId: EvmChainId,
  deployment: MorphoBlueDeployment
): Promise<ReadonlyArray<MorphoMarket>> => {
  if (deployment.markets.length === 0) return []
  const { decodedResults } = await readEach(
    client,
    chainId,
    deployment.markets.map(({ id }) => paramsRead(deployment, id))
  )
  return deployment.markets.flatMap(({ id }, i) => {
    const params = decodedResults[i] ?? null
    return params !== null && idOf(params) === id ? [{ id, params }] : []
  })
}
