/** Equal to the version in package.json, which bundled code cannot read. A test compares the two. */
export const VERSION = "0.1.0"
