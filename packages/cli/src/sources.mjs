// Maps the package names to their source files, because a checkout has no build. Node loads this module before the
// checkout's own code. `tsconfig.json` and `vitest.workspace.ts` contain the same mapping.
import { registerHooks } from "node:module"

const packages = new URL("../../", import.meta.url)

const places = [
  [/^@countersign\/core\/contracts\/(.+)$/, "core/src/$1.contract.ts"],
  [/^@countersign\/adapters\/sandbox$/, "adapters/sandbox/index.ts"],
  [/^@countersign\/([^/]+)\/(.+)$/, "$1/src/$2/index.ts"],
  [/^@countersign\/([^/]+)$/, "$1/src/index.ts"]
]

/**
 * Matches imports with a complete file name. They are resolved without the file system, because Node would look up
 * several files for each of about a thousand imports.
 */
const isFile = /^\.\.?\/.+\.(?:[cm]?[jt]s|json)$/

registerHooks({
  resolve: (specifier, context, nextResolve) => {
    if (isFile.test(specifier) && context.parentURL !== undefined) {
      return { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
    }
    const place = places.find(([pattern]) => pattern.test(specifier))
    return nextResolve(place === undefined ? specifier : new URL(specifier.replace(...place), packages).href, context)
  }
})
