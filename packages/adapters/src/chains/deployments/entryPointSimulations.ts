import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import type { Hex } from "viem"
import code from "./entryPointSimulations.json" with { type: "json" }

/**
 * Deployed code of `EntryPointSimulations`, which simulations use instead of the EntryPoint's code. Compiled by the
 * project in the JSON file, unchanged; a test compares it with the package.
 */
export const entryPointSimulations: Readonly<Record<EntryPointVersion, Hex>> = {
  "0.7": code["0.7"].deployedBytecode as Hex,
  "0.8": code["0.8"].deployedBytecode as Hex
}
