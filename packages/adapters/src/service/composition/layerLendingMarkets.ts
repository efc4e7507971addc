import { LendingMarkets } from "@countersign/core/trading/lending"
import { Effect, Layer } from "effect"
import { AaveV3, MorphoBlue, withNativeToken } from "../../exchanges/lending/index.ts"
import type { Settings } from "./Settings.ts"

/** Provides all lending protocols on the served chains. */
export const layerLendingMarkets = ({ activeChains }: Pick<Settings, "activeChains">) =>
  Layer.effect(
    LendingMarkets,
    Effect.map(Effect.all([AaveV3.make, MorphoBlue.make]), (providers) =>
      LendingMarkets.of({ providers: providers.map(withNativeToken), chainIds: activeChains })
    )
  )
