import { sandboxKeys, sandboxSettings } from "@countersign/adapters/sandbox"
import type { Settings } from "@countersign/adapters/service/composition"
import { Address } from "@countersign/core/foundation/primitives"

const unusedUrl = "http://127.0.0.1:1"

/** Returns the settings of a sandbox whose chains do not run: with one node of chain 1, or without any node. */
export const settingsWithoutSandbox = (home: string, nodeUrl: string | null): Settings =>
  sandboxSettings(
    {
      home,
      rpcUrl: () => nodeUrl ?? unusedUrl,
      runningChains: () => (nodeUrl === null ? [] : [1]),
      clockOffsetSeconds: () => 0,
      keys: sandboxKeys(),
      paymasters: { "0.7": Address.make(`0x${"07".repeat(20)}`), "0.8": Address.make(`0x${"08".repeat(20)}`) }
    },
    { soleProcess: true }
  )
