import type { EvmChainId } from "@countersign/core/foundation/chains"
import { LiquidityMarket } from "@countersign/core/trading/liquidity"
import { Effect, Layer } from "effect"
import { nftReaderContract } from "../../../../core/src/wallets/nfts/NftReader.contract.ts"
import { SandboxChains } from "../../../sandbox/index.ts"
import { PATIENT_RPC } from "../../../test/evm/patientRpc.ts"
import { RpcClientsLayer } from "../../chains/evm/index.ts"
import { PoolReader } from "../../exchanges/pools/index.ts"
import { UniswapLiquidityMarket } from "../../exchanges/positions/index.ts"
import * as EvmNftReader from "./EvmNftReader.ts"

const CHAIN: EvmChainId = 1

const services = Layer.mergeAll(
  EvmNftReader.layer({ collections: [], ipfsGateway: null, allowPrivateTargets: false }),
  UniswapLiquidityMarket.layer
).pipe(
  Layer.provide(PoolReader.layer),
  Layer.provide(
    Layer.unwrap(
      Effect.map(SandboxChains, ({ rpcUrl }) => RpcClientsLayer({ ...PATIENT_RPC, urls: (id) => [rpcUrl(id)] }))
    )
  ),
  Layer.provide(SandboxChains.layerTemporary)
)

nftReaderContract("enumeration", services, {
  chainId: CHAIN,
  readOwner: LiquidityMarket.use((market) => Effect.map(market.readPosition(CHAIN, 1n), ({ owner }) => owner)).pipe(
    Effect.orDie
  )
})
