/** The oldest supported Node version, as in `engines` of the packages. */
export const OLDEST_NODE = "22.19"

const numberOf = (version: string): number => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major * 1_000 + minor
}

/**
 * Throws on a Node version that is too old, because SQLite's binary would crash the process with a segmentation fault.
 */
export const requireNode = (version: string = process.versions.node): void => {
  if (numberOf(version) >= numberOf(OLDEST_NODE)) return
  throw new Error(
    `Countersign's libraries require Node ${OLDEST_NODE} or later, and this is ${version}. Install a later version.`
  )
}
