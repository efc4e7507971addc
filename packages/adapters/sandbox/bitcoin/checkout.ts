import { existsSync, realpathSync } from "node:fs"
import { dirname, join } from "node:path"

/** Finds a file of the checkout, even if this module is bundled into a file in another folder. */
export const checkoutFile = (path: string, from: string = import.meta.dirname): string => {
  const file = join(from, "node_modules", "@countersign", path)
  if (existsSync(file)) return realpathSync(file)
  if (dirname(from) === from) throw new Error(`The Countersign checkout does not contain ${path}. Run npm ci.`)
  return checkoutFile(path, dirname(from))
}
