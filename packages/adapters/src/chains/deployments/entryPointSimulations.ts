import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import type { Hex } from "viem"
import code from "./entryPointSimulations.json" with { type: "json" }

/**
 * Deployed code of `EntryPointSimulations`, which simulations lay over the EntryPoint's. Compiled by the project that the
 * JSON names, unchanged; a test holds it to the package.
 */
export const entryPointSimulations: Readonly<Record<EntryPointVersion, Hex>> = {
  "0.7": code["0.7"].deployedBytecode as Hex,
  "0.8": code["0.8"].deployedBytecode as Hex
}
