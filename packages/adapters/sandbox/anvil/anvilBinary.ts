import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { SandboxError } from "../SandboxError.ts"

const platformPackage = `@foundry-rs/anvil-${process.platform}-${process.arch === "x64" ? "amd64" : process.arch}`

/**
 * Returns the path of the anvil binary for this platform, as a module at `from` resolves it. The package's JavaScript
 * launcher is not used, because it needs a second process and 44 MB, and does not forward all signals.
 */
export const anvilBinary = (from: string = import.meta.url): string => {
  try {
    const launcher = createRequire(from).resolve("@foundry-rs/anvil/package.json")
    return join(dirname(createRequire(launcher).resolve(`${platformPackage}/package.json`)), "bin", "anvil")
  } catch (cause) {
    throw new SandboxError({
      message:
        "The sandbox runs its chains on anvil, which is not installed. A service on real chains does not need it. " +
        `Run \`npm install --save-dev @foundry-rs/anvil@1.7.1\`, which installs ${platformPackage}, or, ` +
        "in a checkout of Countersign, `npm ci` without --omit=dev.",
      cause
    })
  }
}
