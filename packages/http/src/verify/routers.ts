import type { Bytes } from "./bytes.ts"
import { NATIVE } from "./contracts.ts"
import { runKyberSwap } from "./kyberSwap.ts"
import type { Ledger } from "./ledger.ts"
import { runLiFi } from "./lifi.ts"
import { runRouter02, runRouterV2, runRouterV3, runSmartRouter } from "./swapRouters.ts"
import { runUniversalRouter } from "./universalRouter.ts"
import { runVelora } from "./velora.ts"

const runners = {
  ROUTER_02: runRouter02,
  SMART_ROUTER: runSmartRouter,
  V3: runRouterV3,
  V2: runRouterV2,
  UNIVERSAL: runUniversalRouter,
  KYBERSWAP: runKyberSwap,
  LIFI: runLiFi,
  VELORA: runVelora
}

/** Records a call to a router in the ledger, with the router's commands. The route of an aggregator is not decoded. */
export const enterRouterCall = (ledger: Ledger, router: Bytes, value: bigint, data: Bytes): void => {
  if (value > 0n) ledger.send(NATIVE, router, value)
  runners[ledger.routers[router]!](ledger, router, data)
}
