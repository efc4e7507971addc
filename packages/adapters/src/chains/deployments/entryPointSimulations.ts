import type { EntryPointVersion } from "@countersign/core/wallets/registry"
import type { Hex } from "viem"
import code from "./entryPointSimulations.json" with { type: "json" }

/**
 * Deployed code of `EntryPointSimulations`, from the package that the JSON file refers to. In simulations it replaces
 * the code of the EntryPoint. A test compares it with the package.
 */
export const entryPointSimulations: Readonly<Record<EntryPointVersion, Hex>> = {
  "0.7": code["0.7"].deployedBytecode as Hex,
  "0.8": code["0.8"].deployedBytecode as Hex
}
