import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const platformPackage = `@foundry-rs/anvil-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`

/**
 * The anvil of this platform. The binary itself and not the package's JavaScript launcher: that one costs a second process
 * and 44 MB, and a signal sent to it does not always reach the chain.
 */
export const anvilBinary = (): string => {
  const launcher = createRequire(import.meta.url).resolve("@foundry-rs/anvil/package.json")
  const manifest = createRequire(launcher).resolve(`${platformPackage}/package.json`)
  const binary = join(dirname(manifest), "bin", "anvil")
  if (!existsSync(binary)) throw new Error(`${platformPackage} has no bin/anvil`)
  return binary
}
