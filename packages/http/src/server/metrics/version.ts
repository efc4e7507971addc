/** Of the package, which a bundle does not have at hand. A test holds the two together. */
export const VERSION = "0.1.0"
