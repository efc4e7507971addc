/** The version in package.json, which a bundle cannot read. A test compares both. */
export const VERSION = "0.1.0"
