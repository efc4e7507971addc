/** Minimum Node version, as in `engines` of the packages. */
export const MIN_NODE_VERSION = "22.19"

const versionNumberOf = (version: string): number => {
  const [major = 0, minor = 0] = version.split(".").map(Number)
  return major * 1_000 + minor
}

/**
 * Throws if the Node version is too old, because the native SQLite module would crash the process with a segmentation
 * fault.
 */
export const requireNode = (version: string = process.versions.node): void => {
  if (versionNumberOf(version) >= versionNumberOf(MIN_NODE_VERSION)) return
  throw new Error(
    `Countersign's libraries require Node ${MIN_NODE_VERSION} or later, and this is ${version}. Install a later version.`
  )
}
