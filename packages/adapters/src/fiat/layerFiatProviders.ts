import { FiatProviders, ProviderCustomers } from "@countersign/core/fiat"
import { Effect, Layer } from "effect"
import { DocumentFiles } from "../identity/index.ts"
import { makeBlindPay } from "./blindpay/BlindPayProvider.ts"
import type { BlindPaySettings } from "./blindpay/blindPayApi.ts"
import { makeBridge } from "./bridge/BridgeProvider.ts"
import type { BridgeSettings } from "./bridge/bridgeApi.ts"

export interface FiatProviderSettings {
  readonly blindPay?: BlindPaySettings
  readonly bridge?: BridgeSettings
}

/** Provides the configured providers, in order of preference. */
export const layerFiatProviders = ({ blindPay, bridge }: FiatProviderSettings) =>
  Layer.effect(
    FiatProviders,
    Effect.map(Effect.all([ProviderCustomers, DocumentFiles]), ([customers, { read }]) => [
      ...(blindPay === undefined ? [] : [makeBlindPay(blindPay, customers, read)]),
      ...(bridge === undefined ? [] : [makeBridge(bridge, customers, read)])
    ])
  )
