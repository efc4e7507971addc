// Node loads it before a checkout's own code. It resolves the package names to their sources, because there is no
// build. `tsconfig.json` and `vitest.workspace.ts` have the same mapping for TypeScript and the tests.
import { registerHooks } from "node:module"

const packages = new URL("../../", import.meta.url)

const places = [
  [/^@countersign\/core\/contracts\/(.+)$/, "core/src/$1.contract.ts"],
  [/^@countersign\/adapters\/sandbox$/, "adapters/sandbox/index.ts"],
  [/^@countersign\/([^/]+)\/(.+)$/, "$1/src/$2/index.ts"],
  [/^@countersign\/([^/]+)$/, "$1/src/index.ts"]
]

/** Complete file names need no file system look-ups. Node would make several for each of about a thousand imports. */
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
