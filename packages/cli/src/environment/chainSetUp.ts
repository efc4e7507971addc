import { chainSettings } from "@countersign/adapters/service/composition"
import { SettingInvalid } from "@countersign/adapters/service/settings"
import { Effect } from "effect"
import { settings } from "./connect.ts"
import { isConfigured } from "./isConfigured.ts"
import { paymasterKeys } from "./paymasterSetUp.ts"

/** The chains of the operator's own service if the environment configures one, otherwise of the running sandbox. */
export const chainSetUp = Effect.gen(function* () {
  return (yield* isConfigured) ? yield* chainSettings : yield* settings
})

/** The key that deploys contracts. Fails if none is configured. */
export const requireDeployer = Effect.gen(function* () {
  const { owner } = yield* paymasterKeys
  const expected = "set. It is the key of the account that pays for the deployments"
  return owner ?? (yield* new SettingInvalid({ name: "PAYMASTER_OWNER_PRIVATE_KEY", expected }))
})
