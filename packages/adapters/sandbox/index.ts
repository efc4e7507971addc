export { DEMO_INDIVIDUAL, EXAMPLE_INDIVIDUAL } from "./bank/index.ts"
export { type BitcoinKey as SandboxBitcoinKey, exampleBitcoinKeys } from "./bitcoin/bitcoinKeys.ts"
export { signMessage } from "./bitcoin/signMessage.ts"
export { sandboxTokens } from "./deployment/market.ts"
export { type SandboxKey, type SandboxKeys, sandboxKeys } from "./keys.ts"
export { SandboxChains, type SandboxOptions } from "./SandboxChains.ts"
export { SandboxError } from "./SandboxError.ts"
export { sandboxService } from "./SandboxService.ts"
export {
  type SandboxEndpoint,
  sandboxAggregators,
  sandboxOperatorKeys,
  sandboxSettings
} from "./settings/sandboxSettings.ts"
export { type SandboxSigner, SandboxSigners, signAs } from "./signAs.ts"
export { signEndpoint } from "./signEndpoint.ts"
export { signQuote } from "./signQuote.ts"
