import { existsSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

/**
 * A file of the checkout: also where this module is part of one large file below its `node_modules`, which then stands beside
 * none of the others.
 */
export const fileOfCheckout = (path: string, from: string = import.meta.dirname): string => {
  const found = join(from, "node_modules", "@countersign", path)
  if (existsSync(found)) return realpathSync(found)
  if (dirname(from) === from) throw new Error(`The checkout of Countersign has no ${path} that is installed.`)
  return fileOfCheckout(path, dirname(from))
}
