/** The version in package.json, which a bundle can't read. A test compares the two. */
export const VERSION = "0.1.0"
