/** The version in package.json, which a bundle cannot read. A test compares the two. */
export const VERSION = "0.1.0"
