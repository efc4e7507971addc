import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Hex } from "viem"

/**
 * viem carries Multicall3's creation code for calls without a deployment, but does not export it. The version of viem is
 * pinned exactly, and a test of the deployed contract fails if the file moves.
 */
export const multicall3CreationCode = (): Hex => {
  const require = createRequire(import.meta.url)
  const constants = require(join(dirname(require.resolve("viem")), "constants", "contracts.js")) as {
    readonly multicall3Bytecode: Hex
  }
  return constants.multicall3Bytecode
}
